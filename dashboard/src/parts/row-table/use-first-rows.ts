// The first rows of a snapshot, and its columns in the origin's order.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApiClient } from '../../client/api-provider.tsx';
import type { components } from '../../client/schema.ts';
import { readExact } from './exact-json.ts';

type Page = components['schemas']['ListRowsOfSnapshotResult'];

const ROWS = 10;

export function useFirstRows(id: string, snapshotId: string) {
  const api = useApiClient();
  const path = { id, snapshotId };
  return useQuery({
    queryKey: ['first-rows', snapshotId],
    queryFn: async ({ signal }) => {
      const [snapshot, page] = await Promise.all([
        api.GET('/v1/sources/{id}/snapshots/{snapshotId}', { params: { path }, signal }),
        api.GET('/v1/sources/{id}/snapshots/{snapshotId}/rows', {
          params: { path, query: { limit: ROWS } },
          parseAs: 'text',
          signal,
        }),
      ]);
      // The text is a page as the OpenAPI document describes it.
      const { rows, hasMore } = readExact(page.data ?? '') as Page;
      return { columns: snapshot.data?.columns ?? [], rows, hasMore };
    },
    // The previous snapshot's rows stay until the next ones are loaded.
    placeholderData: keepPreviousData,
    // A snapshot does not change.
    staleTime: Infinity,
  });
}
