// The warnings of a check, with some of the locations.
import { Code, Group, List, Stack, Text } from '@mantine/core';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { type Check, WARNING_TITLES, WARNINGS } from './check-words.ts';

export function WarningList({ warnings }: Pick<Check, 'warnings'>) {
  return (
    <List listStyleType="none" spacing="md" aria-label="Warnings">
      {warnings.map(({ code, count, samples }) => (
        <List.Item key={code}>
          <Stack gap={4}>
            <Text size="sm" fw={600}>{`${WARNING_TITLES[code] ?? code}: ${formatCount(count)}`}</Text>
            {WARNINGS[code] !== undefined && <Text size="sm">{WARNINGS[code]}</Text>}
            <Group gap={6}>
              <Text size="sm" c="dimmed" span>
                For example
              </Text>
              {samples.map((sample, index) => (
                // Samples may repeat, so only their position identifies them.
                // oxlint-disable-next-line react/no-array-index-key
                <Code key={index} style={{ overflowWrap: 'anywhere' }}>
                  {sample}
                </Code>
              ))}
            </Group>
          </Stack>
        </List.Item>
      ))}
    </List>
  );
}
