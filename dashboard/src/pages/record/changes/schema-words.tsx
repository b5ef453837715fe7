// The facts of an event beside its rows: added, removed or renamed columns, another key, the first snapshot.
import { Badge, Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { components } from '../../../client/schema.ts';
import { counted } from '../../../parts/figures/counted.ts';
import { nameOfColumn } from '../../../parts/record/column-name.ts';

type DeltaEvent = components['schemas']['DeltaEvent'];

/** Names beyond this number are only counted. */
const NAMES_TOLD = 4;

export function SchemaWords({
  event,
}: {
  event: Pick<DeltaEvent, 'schemaChange' | 'rekeyed' | 'previousSnapshotId'>;
}) {
  const { added = [], removed = [], renamed = [], schemaOnlyCount } = event.schemaChange ?? {};
  return (
    <Group gap={6}>
      {event.previousSnapshotId === null && (
        <Badge color="blue" variant="light" tt="none">
          First snapshot
        </Badge>
      )}
      {event.rekeyed && (
        <Badge color="grape" variant="light" tt="none">
          Re-read with different key or ignored fields
        </Badge>
      )}
      <Names word="Column added" many="Columns added" names={added.map((name) => [name])} />
      <Names word="Column removed" many="Columns removed" names={removed.map((name) => [name])} />
      <Names word="Column renamed" many="Columns renamed" names={renamed.map(({ from, to }) => [from, to])} />
      {schemaOnlyCount !== undefined && schemaOnlyCount > 0 && (
        <Text size="sm" c="dimmed">
          {counted(schemaOnlyCount, 'row')} changed for no other reason
        </Text>
      )}
    </Group>
  );
}

function Names({ word, many, names }: { word: string; many: string; names: readonly string[][] }) {
  if (names.length === 0) return null;
  const more = names.length - NAMES_TOLD;
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      {names.length === 1 ? word : many}:{' '}
      <Text component="span" ff="monospace" size="sm">
        {names.slice(0, NAMES_TOLD).map((pair, at) => (
          <Fragment key={pair[0]}>
            {at > 0 && ', '}
            {pair.map((name, side) => (
              <Fragment key={name}>
                {side > 0 && ' → '}
                <bdi>{nameOfColumn(name)}</bdi>
              </Fragment>
            ))}
          </Fragment>
        ))}
      </Text>
      {more > 0 && ` and ${more} more`}
    </Text>
  );
}
