// The rows of a snapshot, searched and filtered by the API.
import { Text } from '@mantine/core';
import { useCallback } from 'react';
import { useApiClient } from '../../../../client/api-provider.tsx';
import type { components } from '../../../../client/schema.ts';
import { given } from '../../../../parts/state/given.ts';
import { ProblemNote } from '../../../../parts/blocks/problem-note.tsx';
import { readExact } from '../../../../parts/row-table/exact-json.ts';
import { LoadedNote, RowsSkeleton } from '../../../../parts/row-table/loading-rows.tsx';
import { useRowPages } from '../../../../parts/row-table/use-row-pages.ts';
import { useRecordRef } from '../../../../parts/record/record-ref.ts';
import { FilterBar } from './filter-bar.tsx';
import { isEverything, type RowSelection, selectionQuery } from './selection.ts';
import { SnapshotTable } from './snapshot-table.tsx';
import { useMatchCount } from './use-match-count.ts';
import { useSelection } from './use-selection.ts';
import type { Snapshot } from '../../rows/use-snapshot.ts';

type Answer = components['schemas']['ListRowsOfSnapshotResult'];
type SnapshotRow = components['schemas']['SnapshotRow'];

const PAGE_ROWS = 100;

export function RowsView({ snapshot }: { snapshot: Snapshot }) {
  const { selection } = useSelection();
  const state = useSnapshotRows(snapshot.id, selection);
  const isAll = isEverything(selection);
  const matchCount = useMatchCount(snapshot.id, selection);
  const { rows, error } = state;
  const total = isAll ? snapshot.totalRows : state.hasMore ? matchCount : rows?.length;
  return (
    <div>
      <FilterBar columns={snapshot.columns} />
      {rows === undefined && error === null && <RowsSkeleton />}
      {rows === undefined && <ProblemNote error={error} title="Could not load the rows" />}
      {rows?.length === 0 && (
        <Text c="dimmed" py="xl" ta="center" component="output" display="block">
          {isAll ? 'This snapshot has no rows.' : 'No rows match.'}
        </Text>
      )}
      {rows !== undefined && rows.length > 0 && (
        <>
          <SnapshotTable columns={snapshot.columns} rows={rows} totalRows={total} onEnd={state.loadMore} />
          <LoadedNote state={state} loaded={rows.length} total={total} />
        </>
      )}
    </div>
  );
}

function useSnapshotRows(snapshotId: string, selection: RowSelection) {
  const id = useRecordRef();
  const api = useApiClient();
  const asked = selectionQuery(selection, {});
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal): Promise<Answer> => {
      const { data = '{}' } = await api.GET('/v1/sources/{id}/snapshots/{snapshotId}/rows', {
        params: { path: { id, snapshotId } },
        querySerializer: () => selectionQuery(selection, { limit: String(PAGE_ROWS), ...given({ cursor }) }),
        parseAs: 'text',
        signal,
      });
      return readExact<Answer>(data);
    },
    [api, id, snapshotId, selection],
  );
  return useRowPages<SnapshotRow>(['snapshot', id, snapshotId, asked], read);
}
