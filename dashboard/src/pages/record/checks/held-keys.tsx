// How many rows a held check would delete, change and add, with the first keys of each kind.
import { Code, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { components } from '../../../client/schema.ts';
import { ChangeCount, formatCount } from '../../../parts/figures/change-count.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import type { ChangeType } from '../../../theme.ts';

type HeldChanges = components['schemas']['HeldChanges'];

export function HeldKeys({ held }: { held: HeldChanges }) {
  return (
    <Stack>
      <Text size="sm">{`The file has ${counted(held.totalCount, 'row')}. Compared with the last snapshot, that would be:`}</Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Keys type="deleted" count={held.deletedCount} keys={held.deletedKeys} />
        <Keys type="changed" count={held.changedCount} keys={held.changedKeys} />
        <Keys type="new" count={held.newCount} keys={held.newKeys} />
      </SimpleGrid>
    </Stack>
  );
}

function Keys({ type, count, keys }: { type: ChangeType; count: number; keys: readonly string[] }) {
  const others = count - keys.length;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group>
          <ChangeCount type={type} count={count} size="lg" />
        </Group>
        {keys.length > 0 && (
          <Group gap={6}>
            {keys.map((key) => (
              <Code key={key} style={{ overflowWrap: 'anywhere' }}>
                {key === '' ? '(empty)' : key}
              </Code>
            ))}
          </Group>
        )}
        {others > 0 && <Text size="sm" c="dimmed">{`and ${formatCount(others)} more`}</Text>}
      </Stack>
    </Paper>
  );
}
