// What differs between two versions of the data.
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { ChangeCount, formatCount } from '../../../parts/change-count.tsx';
import { CHANGE_TYPES } from '../../../parts/change-sign.ts';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { RowsSkeleton } from '../../../parts/row-table/loading-rows.tsx';
import { useUrlState } from '../../../parts/use-url-state.ts';
import { DeltaRowsView } from '../changes/delta-rows-view.tsx';
import { SchemaWords } from '../changes/schema-words.tsx';
import { useComparedRows } from '../changes/use-event-rows.ts';
import { countOf, typeAskedFor } from '../changes/use-rows-shown.ts';
import { useRecordRef } from '../record-ref.ts';
import { SnapshotSelect } from './snapshot-select.tsx';
import { useSnapshots } from './use-snapshot.ts';

type Comparison = components['schemas']['Comparison'];

export function CompareView() {
  const [params, change] = useUrlState();
  const givenFrom = params.get('from');
  const { snapshots, isSuccess, error } = useSnapshots(givenFrom === null);
  // Without another wish, the latest change.
  const from = givenFrom ?? snapshots[1]?.id;
  const to = params.get('to') ?? 'latest';
  if (from === undefined) {
    if (error !== null) return <ProblemNote error={error} title="The snapshots cannot be shown" />;
    if (!isSuccess) return <RowsSkeleton />;
    return (
      <Text c="dimmed">
        There is only one snapshot yet. With the next change there is something to compare.
      </Text>
    );
  }
  return (
    <>
      <Group align="flex-end" gap="sm">
        <SnapshotSelect label="From" value={from} onChange={(next) => change({ from: next })} />
        <Button
          variant="subtle"
          px={8}
          aria-label="Swap the two snapshots"
          onClick={() => change({ from: to, to: from })}
        >
          <IconArrowsExchange size={18} aria-hidden />
        </Button>
        <SnapshotSelect label="To" value={to} onChange={(next) => change({ to: next })} />
      </Group>
      <Compared from={from} to={to} />
    </>
  );
}

function Compared({ from, to }: { from: string; to: string }) {
  const id = useRecordRef();
  const { queryOptions } = useApiQueries();
  const query = { from, to, keysLimit: 0 };
  const { data: comparison, error } = useQuery(
    queryOptions(
      'get',
      '/v1/sources/{id}/compare',
      { params: { path: { id }, query } },
      { refetchOnWindowFocus: false },
    ),
  );
  if (error !== null) return <ProblemNote error={error} title="These two cannot be compared" />;
  if (comparison === undefined) {
    return (
      <>
        <Skeleton h={26} w={320} />
        <RowsSkeleton />
      </>
    );
  }
  return (
    <>
      <Group gap="sm">
        {CHANGE_TYPES.map((type) => (
          <ChangeCount key={type} type={type} count={countOf(comparison, type)} />
        ))}
        <Text size="sm" c="dimmed">
          {formatCount(comparison.unchangedCount)} rows are the same
        </Text>
        {comparison.schemaChange !== null && (
          <SchemaWords
            event={{
              schemaChange: { ...comparison.schemaChange, renamed: [] },
              rekeyed: false,
              previousSnapshotId: comparison.fromSnapshotId,
            }}
          />
        )}
      </Group>
      {comparison.isNoChange ? (
        <Text c="dimmed">The two snapshots hold the same rows.</Text>
      ) : (
        <ComparedRows comparison={comparison} />
      )}
    </>
  );
}

function ComparedRows({ comparison }: { comparison: Comparison }) {
  const [params] = useUrlState();
  const { fromSnapshotId, toSnapshotId } = comparison;
  const type = typeAskedFor(params, comparison);
  const state = useComparedRows(useRecordRef(), fromSnapshotId, toSnapshotId, type);
  return <DeltaRowsView label="Rows that differ" counts={comparison} state={state} />;
}
