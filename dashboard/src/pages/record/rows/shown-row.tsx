// One row with its history and its whole values. The address says which row.
import '../../../parts/figures/data-colors.css';
import { Button, Drawer, Skeleton, Stack, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useApiClient } from '../../../client/api-provider.tsx';
import { shownName } from '../../../client/shown-name.ts';
import { isProblem } from '../../../client/problem.ts';
import type { components } from '../../../client/schema.ts';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { BY_CURSOR } from '../../../parts/state/cursor-query.ts';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { readExact } from '../../../parts/row-table/exact-json.ts';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRecord } from '../../../parts/record/use-record.ts';
import { HistoryEntry } from './history-entry.tsx';
import classes from './row-drawer.module.css';
import { RowValues } from './row-values.tsx';

type Answer = components['schemas']['GetRowHistoryResult'];
type Row = components['schemas']['SnapshotRow'];

export function ShownRow({ isOpen }: { isOpen: boolean }) {
  const [params, change] = useUrlState();
  const isMounted = useMounted();
  const key = params.get('row');
  return (
    <Drawer
      opened={isOpen && isMounted}
      onClose={() => change({ row: null })}
      position="right"
      size="lg"
      title={key === null ? '' : `Row ${shownName(key)}`}
      classNames={{ title: classes['title'] ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {key !== null && (isAddress(key) ? <RowHistory key={key} rowKey={key} /> : <Text>{NO_ADDRESS}</Text>)}
    </Drawer>
  );
}

/** URLs have no way to write these two as a segment: they would be another address. */
const isAddress = (key: string): boolean => key !== '.' && key !== '..';

const NO_ADDRESS =
  'The history of this row cannot be shown, because its key cannot be part of an address. Its values are in the table.';

function RowHistory({ rowKey }: { rowKey: string }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useRowHistory(rowKey);
  const entries = data?.pages.flatMap((page) => page.rows);
  const latest = entries?.[0];
  const mayBeThere = latest === undefined || (latest.after !== null && latest.key === rowKey);
  const now = usePresentRow(rowKey, entries !== undefined && mayBeThere);
  const problem = error ?? now.error;
  if (problem !== null) return <ProblemNote error={problem} title="Could not load the row’s history" />;
  if (entries === undefined || now.isLoading) return <Skeleton h={300} aria-label="Loading" />;
  const present = (mayBeThere ? now.data?.data : null) ?? latest?.after;
  const values = present ?? latest?.before ?? {};
  return (
    <Stack gap="lg">
      <section>
        <h3 className={classes['heading']}>
          {present ? 'Current values' : 'Deleted. Last values'}
          <CopyButton value={JSON.stringify(values, null, 2)} what="the row as JSON" />
        </h3>
        <RowValues row={values} />
      </section>
      <section>
        <h3 className={classes['heading']}>History</h3>
        <ol className={classes['history']}>
          {entries.map((entry) => (
            <HistoryEntry key={entry.deltaEventId} entry={entry} />
          ))}
        </ol>
        {hasNextPage ? (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older changes
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            No older history is kept.
          </Text>
        )}
      </section>
    </Stack>
  );
}

/** Part of the keys of queries, which are then made again after each new snapshot. */
const useLatest = (id: string) => useRecord(id).data?.latestSnapshotId;

/** The row as it is now: since its last change, other settings may read it in another way. Null if it is gone. */
function usePresentRow(key: string, enabled: boolean) {
  const id = useRecordRef();
  const api = useApiClient();
  return useQuery({
    queryKey: ['row', id, key, useLatest(id)],
    placeholderData: keepPreviousData,
    enabled,
    queryFn: async ({ signal }) => {
      try {
        const { data = '{}' } = await api.GET('/v1/sources/{id}/rows/{key}', {
          params: { path: { id, key } },
          parseAs: 'text',
          signal,
        });
        return readExact<Row>(data);
      } catch (error) {
        if (isProblem(error, 'not_found')) return null;
        throw error;
      }
    },
  });
}

function useRowHistory(key: string) {
  const id = useRecordRef();
  const api = useApiClient();
  return useInfiniteQuery({
    queryKey: ['row-history', id, key, useLatest(id)],
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }) => {
      const { data = '{}' } = await api.GET('/v1/sources/{id}/rows/{key}/history', {
        params: { path: { id, key }, query: pageParam === undefined ? {} : { cursor: pageParam } },
        parseAs: 'text',
        signal,
      });
      return readExact<Answer>(data);
    },
    ...BY_CURSOR,
  });
}
