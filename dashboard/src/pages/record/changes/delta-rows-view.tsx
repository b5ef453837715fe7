// Changed rows with their filters, for an event and for a comparison of two snapshots.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { LoadedNote, RowsSkeleton } from '../../../parts/row-table/loading-rows.tsx';
import type { RowPages } from '../../../parts/row-table/use-row-pages.ts';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { RowDrawer } from '../rows/row-drawer.tsx';
import { CopyRows } from './copy-rows.tsx';
import { DeltaFilters } from './delta-filters.tsx';
import type { DeltaRow } from '../rows/delta-row.ts';
import { DeltaTable } from './delta-table.tsx';
import { isEveryRow } from './use-event-rows.ts';
import { allChanges, type Counts, countOf, rowsAsked, useColumnsShown } from './use-rows-shown.ts';

interface Props {
  label: string;
  counts: Counts;
  /** The id of the later snapshot, which has the columns. */
  snapshotId: string;
  state: RowPages<DeltaRow>;
  /** Further actions on the rows. */
  children?: ReactNode;
}

export function DeltaRowsView({ label, counts, snapshotId, state, children }: Props) {
  const [params] = useUrlState();
  const { rows, error, hasMore, loadMore } = state;
  const { changed, columns } = useColumnsShown(state, params);
  const asked = rowsAsked(params, counts);
  const isAll = isEveryRow(asked);
  const ofType = asked.changeType === undefined ? allChanges(counts) : countOf(counts, asked.changeType);
  const total = isAll ? ofType : hasMore ? undefined : rows?.length;
  return (
    <>
      <DeltaFilters counts={counts} snapshotId={snapshotId} changedColumns={changed}>
        <CopyRows rows={rows ?? []} columns={columns} />
        {children}
      </DeltaFilters>
      {rows === undefined && error === null && <RowsSkeleton />}
      {rows === undefined && <ProblemNote error={error} title="Could not load the rows" />}
      {rows?.length === 0 && (
        <Text c="dimmed" py="xl" ta="center" component="output" display="block">
          {isAll ? 'No rows of this type.' : 'No rows match.'}
        </Text>
      )}
      {rows !== undefined && rows.length > 0 && (
        <>
          <DeltaTable label={label} rows={rows} columns={columns} totalRows={total} onEnd={loadMore} />
          <LoadedNote state={state} loaded={rows.length} total={total} />
        </>
      )}
      <RowDrawer />
    </>
  );
}
