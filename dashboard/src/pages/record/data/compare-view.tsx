// The differences between two snapshots.
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../../client/api-provider.tsx';
import { isProblem } from '../../../client/problem.ts';
import type { components } from '../../../client/schema.ts';
import { ChangeCount } from '../../../parts/figures/change-count.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import { CHANGE_TYPES } from '../../../parts/figures/change-sign.ts';
import { given } from '../../../parts/state/given.ts';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { RowsSkeleton } from '../../../parts/row-table/loading-rows.tsx';
import type { RowPages } from '../../../parts/row-table/use-row-pages.ts';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { DeltaRowsView } from '../changes/delta-rows-view.tsx';
import type { DeltaRow } from '../rows/delta-row.ts';
import { SchemaWords } from '../changes/schema-words.tsx';
import { useComparedRows } from '../changes/use-event-rows.ts';
import { countOf, rowsAsked } from '../changes/use-rows-shown.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { SnapshotSelect } from './snapshot-select.tsx';

type Comparison = components['schemas']['Comparison'];

export function CompareView() {
  const [params, change] = useUrlState();
  const id = useRecordRef();
  const givenFrom = params.get('from');
  const to = params.get('to') ?? 'latest';
  const { data: comparison, error } = useComparison(id, givenFrom, to);
  const rows = useComparedRows(id, pairOf(comparison), rowsAsked(params, comparison));
  // The default is the latest change.
  if (givenFrom === null && to === 'latest' && isProblem(error, 'not_found')) return <NothingYet />;
  const from = givenFrom ?? comparison?.fromSnapshotId ?? null;
  // The labels of the snapshots load after the rows.
  const isReady =
    error !== null || comparison?.isNoChange === true || rows.rows !== undefined || rows.error !== null;
  return (
    <>
      <Group align="flex-end" gap="sm">
        <SnapshotSelect
          label="From"
          value={from}
          latestId={comparison?.fromSnapshotId}
          isReady={isReady}
          onChange={(next) => change({ from: next })}
        />
        <Button
          variant="subtle"
          px={8}
          aria-label="Swap the two snapshots"
          disabled={from === null}
          onClick={() => change({ from: to, to: from })}
        >
          <IconArrowsExchange size={18} aria-hidden />
        </Button>
        <SnapshotSelect
          label="To"
          value={to}
          latestId={comparison?.toSnapshotId}
          isReady={isReady}
          onChange={(next) => change({ to: next })}
        />
      </Group>
      <ProblemNote error={error} title="These two cannot be compared" />
      {comparison === undefined && error === null && (
        <>
          <Skeleton h={26} w={320} />
          <RowsSkeleton />
        </>
      )}
      {comparison !== undefined && error === null && <Compared comparison={comparison} rows={rows} />}
    </>
  );
}

const NothingYet = () => <Text c="dimmed">Nothing to compare yet. Come back after the next change.</Text>;

/** @param from null: the snapshot before the other one */
function useComparison(id: string, from: string | null, to: string) {
  const { queryOptions } = useApiQueries();
  const query = { to, keysLimit: 0, ...given({ from }) };
  return useQuery(
    queryOptions(
      'get',
      '/v1/sources/{id}/compare',
      { params: { path: { id }, query } },
      { refetchOnWindowFocus: false },
    ),
  );
}

/** The two snapshots whose rows to list; undefined if nothing differs. */
const pairOf = (comparison: Comparison | undefined) =>
  comparison === undefined || comparison.isNoChange
    ? undefined
    : { from: comparison.fromSnapshotId, to: comparison.toSnapshotId };

function Compared({ comparison, rows }: { comparison: Comparison; rows: RowPages<DeltaRow> }) {
  const { schemaChange, fromSnapshotId, toSnapshotId } = comparison;
  return (
    <>
      <Group gap="sm">
        {CHANGE_TYPES.map((type) => (
          <ChangeCount key={type} type={type} count={countOf(comparison, type)} />
        ))}
        <Text size="sm" c="dimmed">
          {counted(comparison.unchangedCount, 'row')} unchanged
        </Text>
        {schemaChange !== null && (
          <SchemaWords
            event={{
              schemaChange: { ...schemaChange, renamed: [] },
              rekeyed: false,
              previousSnapshotId: fromSnapshotId,
            }}
          />
        )}
      </Group>
      {comparison.isNoChange ? (
        <Text c="dimmed">The two snapshots have the same rows.</Text>
      ) : (
        <DeltaRowsView label="Rows that differ" counts={comparison} snapshotId={toSnapshotId} state={rows} />
      )}
    </>
  );
}
