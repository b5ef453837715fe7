// The main facts of a record: its rows, its key, when it is checked.
import { Code, Group, Paper, Text } from '@mantine/core';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import { Fact, Facts } from '../../../parts/blocks/facts.tsx';
import { FORMAT_NAMES } from '../../../parts/forms/format-names.ts';
import { evidenceWords, otherKeysWords } from '../../../parts/record/key-evidence.ts';
import { NextCheck } from '../../../parts/figures/next-check.tsx';
import { formatEvery } from '../../../parts/figures/quantities.ts';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { TextLink } from '../../../parts/controls/text-link.tsx';
import { At } from '../../../parts/figures/time.tsx';
import { useRecordPath } from '../../../parts/record/record-ref.ts';

export function AtAGlance({ record }: { record: TrackedRecord }) {
  const path = useRecordPath();
  const { totalRows, format, nextCheckAt, ignoreFields } = record;
  const ruledCount = Object.keys(record.rules).length;
  return (
    <Paper withBorder p="lg" component="section" aria-label="At a glance">
      <Facts>
        <Fact name="Rows">
          <Text size="xl" fw={600} span>
            {totalRows === null ? '–' : formatCount(totalRows)}
          </Text>
          {totalRows !== null && (
            <Text size="sm">
              <TextLink to={`${path}/data`}>See the data</TextLink>
            </Text>
          )}
        </Fact>
        <Fact name="Key">
          <Key record={record} />
        </Fact>
        <Fact name="Checked">
          {formatEvery(record.checkIntervalMinutes)}
          <Text size="sm" c="dimmed">
            {record.status === 'paused' ? 'Paused' : <NextCheck at={nextCheckAt} />}
          </Text>
        </Fact>
        <Fact name="Format">
          {format === null ? 'Detected at the first check' : FORMAT_NAMES[format]}
          {ignoreFields.length > 0 && (
            <Text size="sm" c="dimmed">{`${counted(ignoreFields.length, 'field')} ignored`}</Text>
          )}
          {ruledCount > 0 && (
            <Text size="sm" c="dimmed">{`${counted(ruledCount, 'column')} with a rule`}</Text>
          )}
          {record.pairing !== null && (
            <Text size="sm" c="dimmed">
              Edited rows without a key are paired
            </Text>
          )}
        </Fact>
        <Fact name="Watched since">
          <At at={record.createdAt} />
        </Fact>
      </Facts>
    </Paper>
  );
}

function Key({ record: { keyFields, keySource, keyEvidence, isRekeyPending } }: { record: TrackedRecord }) {
  const words = isRekeyPending
    ? 'The rows are being re-read with the new fields.'
    : keySource === 'given'
      ? 'Chosen in the settings.'
      : evidenceWords(keyEvidence);
  const others = isRekeyPending ? undefined : otherKeysWords(keyEvidence);
  return (
    <>
      <Group gap={4}>
        {keyFields === null && 'Chosen at the first check'}
        {keyFields?.length === 0 && 'The whole row'}
        {keyFields?.map((field) => (
          <Code key={field}>{field}</Code>
        ))}
      </Group>
      {words !== undefined && keyFields !== null && (
        <Text size="sm" c="dimmed">
          {words}
        </Text>
      )}
      {others !== undefined && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {others}
        </Text>
      )}
    </>
  );
}
