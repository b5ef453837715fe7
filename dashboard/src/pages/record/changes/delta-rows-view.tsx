// Rows that differ, with what chooses among them: the same for an event and for two snapshots.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadedNote, RowsSkeleton } from '../../../parts/row-table/loading-rows.tsx';
import type { RowPages } from '../../../parts/row-table/use-row-pages.ts';
import { useUrlState } from '../../../parts/use-url-state.ts';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { RowDrawer } from '../data/row-drawer.tsx';
import type { DeltaRow } from './delta-row.ts';
import { DeltaFilters } from './delta-filters.tsx';
import { DeltaTable } from './delta-table.tsx';
import { FilteredNote } from './filtered-note.tsx';
import { allChanges, type Counts, countOf, typeAskedFor, useRowsShown } from './use-rows-shown.ts';
import { CopyRows } from './copy-rows.tsx';

interface Props {
  label: string;
  counts: Counts;
  state: RowPages<DeltaRow>;
  /** What else can be done with them. */
  children?: ReactNode;
}

export function DeltaRowsView({ label, counts, state, children }: Props) {
  const [params] = useUrlState();
  const { shown, isFiltered, changed, columns } = useRowsShown(state, params);
  const type = typeAskedFor(params, counts);
  const total = type === undefined ? allChanges(counts) : countOf(counts, type);
  const loaded = state.rows?.length ?? 0;
  if (state.rows === undefined) {
    return state.error === null ? (
      <RowsSkeleton />
    ) : (
      <ProblemNote error={state.error} title="The rows cannot be shown" />
    );
  }
  return (
    <>
      <DeltaFilters counts={counts} changedColumns={changed}>
        <CopyRows rows={shown} columns={columns} />
        {children}
      </DeltaFilters>
      {isFiltered && <FilteredNote state={state} shown={shown.length} loaded={loaded} total={total} />}
      {shown.length > 0 ? (
        <DeltaTable
          label={label}
          rows={shown}
          columns={columns}
          totalRows={isFiltered && state.hasMore ? undefined : isFiltered ? shown.length : total}
          onEnd={isFiltered ? undefined : state.loadMore}
        />
      ) : (
        <Text c="dimmed" py="xl" ta="center">
          {isFiltered ? 'None of the rows loaded is like that.' : 'No rows of this type.'}
        </Text>
      )}
      {!isFiltered && loaded > 0 && <LoadedNote state={state} loaded={loaded} total={total} />}
      <RowDrawer />
    </>
  );
}
