// What a new record would watch: its key and why, and the first rows; or why a check would fail.
import { Alert, Group, Stack, Text } from '@mantine/core';
import { Section } from '../../parts/blocks/section.tsx';
import { counted } from '../../parts/figures/counted.ts';
import { formatBytes } from '../../parts/figures/quantities.ts';
import { FORMAT_NAMES } from '../../parts/forms/format-names.ts';
import { CHECK_ADVICE } from '../../parts/record/check-advice.ts';
import { evidenceWords, otherKeysWords } from '../../parts/record/key-evidence.ts';
import { nameOfColumn } from '../../parts/record/column-name.ts';
import { WarningList } from '../record/checks/warnings.tsx';
import { RowsPreview } from '../start/rows-preview.tsx';
import type { RecordPreview } from './use-preview.ts';

export default function PreviewOfRecord({
  preview,
  isCurrent,
}: {
  preview: RecordPreview;
  isCurrent: boolean;
}) {
  const { error } = preview;
  return (
    <Section title="What would be watched" description={error === null && <Counts preview={preview} />}>
      {!isCurrent && (
        <Text size="sm" c="dimmed">
          You have changed the settings since: preview them again to see what they do.
        </Text>
      )}
      {error === null ? (
        <Found preview={preview} />
      ) : (
        <Alert color="red" variant="light" title="A check of these settings would fail">
          <Text size="sm">{error.detail}</Text>
          <Text size="sm" c="dimmed">
            {adviceBefore(error)}
          </Text>
        </Alert>
      )}
    </Section>
  );
}

function Found({ preview }: { preview: RecordPreview }) {
  const { keyFields, keyEvidence, keySource, columns, rows = [], rowCount, warnings } = preview;
  const fields = keyFields ?? [];
  const others = otherKeysWords(keyEvidence);
  return (
    <Stack gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>
          {fields.length === 0 ? 'The whole row is its key.' : `Key: ${fields.map(nameOfColumn).join(', ')}.`}
        </b>{' '}
        {keySource === 'given' ? 'You chose it.' : evidenceWords(keyEvidence)} {others}
      </Text>
      {(rowCount === 0 || rows.length > 0) && (
        <RowsPreview columns={columns ?? []} keyFields={fields} rows={rows} />
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="This works, with warnings">
          <WarningList warnings={warnings} />
        </Alert>
      )}
    </Stack>
  );
}

function Counts({
  preview: { totalRows, columns, format, headerRow, sizeBytes },
}: {
  preview: RecordPreview;
}) {
  const header = headerRow === 0 ? 'no header' : `header in line ${headerRow}`;
  return (
    <Group component="span" gap={6}>
      {counted(totalRows ?? 0, 'row')} · {counted(columns?.length ?? 0, 'column')}
      {format !== null && ` · ${FORMAT_NAMES[format]}`}
      {headerRow !== null && ` · ${header}`}
      {sizeBytes !== null && ` · ${formatBytes(sizeBytes)}`}
    </Group>
  );
}

/** Where the usual advice leads to the settings of a record, which this form has. */
const ADVICE_HERE: Readonly<Record<string, string>> = {
  header_unclear:
    'Under Format, enter the line number of the header, or 0 if the table has no header. Check the delimiter too.',
  malformed_body: 'Fix the file at its origin, or set the right format, delimiter and quotes.',
  missing_key_field: 'Choose other key fields, or restore the column.',
  too_many_columns: 'The delimiter may be wrong. You can set it under Format.',
};

function adviceBefore({ code, detail }: NonNullable<RecordPreview['error']>): string {
  if (code === 'http_error' && /\b40[13]\b/.test(detail))
    return 'Enter the credentials that the origin asks for.';
  return ADVICE_HERE[code] ?? CHECK_ADVICE[code] ?? '';
}
