// What other key or ignored fields would do with the latest body.
import { Alert, Stack, Text } from '@mantine/core';
import type { components } from '../../../client/schema.ts';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { Fact, Facts } from '../../../parts/blocks/facts.tsx';
import { evidenceWords } from '../../../parts/record/key-evidence.ts';
import { WarningList } from '../checks/warnings.tsx';

export function RulePreview({ preview }: { preview: components['schemas']['RulePreview'] }) {
  const { error, rowCount, totalRows, columns, keyFields, keyEvidence, warnings } = preview;
  if (error !== null) {
    return (
      <Alert color="red" variant="light" title="The latest data cannot be read this way">
        <Text size="sm">{error.detail}</Text>
      </Alert>
    );
  }
  const words = evidenceWords(keyEvidence);
  return (
    <Alert
      color={warnings.length > 0 ? 'yellow' : 'teal'}
      variant="light"
      title={warnings.length > 0 ? 'This works, with warnings' : 'Every row has its own key'}
    >
      <Stack gap="sm">
        <Facts>
          <Fact name="Key">
            {keyFields === null || keyFields.length === 0 ? 'The whole row' : keyFields.join(', ')}
          </Fact>
          {rowCount !== null && <Fact name="Rows in the data">{formatCount(rowCount)}</Fact>}
          {totalRows !== null && <Fact name="Rows that would be kept">{formatCount(totalRows)}</Fact>}
          {columns !== null && <Fact name="Columns">{formatCount(columns.length)}</Fact>}
        </Facts>
        {words !== undefined && <Text size="sm">{words}</Text>}
        {warnings.length > 0 && <WarningList warnings={warnings} />}
      </Stack>
    </Alert>
  );
}
