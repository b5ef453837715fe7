// The number of rows that match a search and filters, requested beside the rows themselves.
import { useQuery } from '@tanstack/react-query';
import { useApiClient } from '../../../../client/api-provider.tsx';
import { useRecordRef } from '../../../../parts/record/record-ref.ts';
import { isEverything, type RowSelection, selectionBody } from './selection.ts';

/** @returns undefined until it is known, and if it cannot be requested */
export function useMatchCount(snapshotId: string, selection: RowSelection): number | undefined {
  const id = useRecordRef();
  const api = useApiClient();
  const { field, ...body } = selectionBody(selection);
  const { data } = useQuery({
    queryKey: ['match-count', id, snapshotId, body],
    queryFn: async ({ signal }) => {
      const { data } = await api.POST('/v1/sources/{id}/snapshots/{snapshotId}/query', {
        params: { path: { id, snapshotId } },
        body,
        signal,
      });
      const count = data?.groups[0]?.values['count'];
      return typeof count === 'number' ? count : null;
    },
    staleTime: Infinity,
    // The query searches all columns.
    enabled: !isEverything(selection) && field === undefined,
  });
  return data ?? undefined;
}
