// The snapshot of the address, or the latest one when the page was opened.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useApiClient, useApiQueries } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { BY_CURSOR } from '../../../parts/state/cursor-query.ts';
import { given } from '../../../parts/state/given.ts';
import { useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRecord } from '../../../parts/record/use-record.ts';

export type Snapshot = components['schemas']['Snapshot'];

const LISTED = 50;

/** @param reference an id, or `latest`, which stays the same snapshot until it is requested again */
export function useSnapshot(reference: string, isEnabled = true) {
  const id = useRecordRef();
  const { queryOptions } = useApiQueries();
  const params = { path: { id, snapshotId: reference } };
  const query = useQuery(
    queryOptions(
      'get',
      '/v1/sources/{id}/snapshots/{snapshotId}',
      { params },
      { refetchOnWindowFocus: false, refetchOnReconnect: false, enabled: isEnabled },
    ),
  );
  const { data: record } = useRecord(id);
  const latestId = record?.latestSnapshotId ?? null;
  const isOutdated =
    reference === 'latest' && query.data !== undefined && latestId !== null && latestId > query.data.id;
  return { ...query, isOutdated };
}

/** Snapshots, newest first, page by page. */
export function useSnapshots(isEnabled: boolean) {
  const id = useRecordRef();
  const api = useApiClient();
  const query = useInfiniteQuery({
    queryKey: ['snapshots', id],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: LISTED, ...given({ cursor: pageParam }) };
      const { data } = await api.GET('/v1/sources/{id}/snapshots', {
        params: { path: { id }, query },
        signal,
      });
      return data ?? { snapshots: [], nextCursor: null };
    },
    ...BY_CURSOR,
    enabled: isEnabled,
  });
  return { ...query, snapshots: query.data?.pages.flatMap(({ snapshots }) => snapshots) ?? [] };
}
