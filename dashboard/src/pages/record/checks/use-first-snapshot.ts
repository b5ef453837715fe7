// Which check brought the record's first snapshot: the one whose event has no snapshot before it.
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../../client/api-provider.tsx';
import { useRecordRef } from '../record-ref.ts';
import type { Check } from './check-words.ts';

/** @param check none where it is known not to be among those that are shown */
export function useIsFirstSnapshot(check: Check | undefined): boolean {
  const id = useRecordRef();
  const { queryOptions } = useApiQueries();
  const deltaEventId = check?.deltaEventId ?? '';
  const params = { path: { id, deltaEventId }, query: { keysLimit: 0 } };
  const { data } = useQuery(
    queryOptions(
      'get',
      '/v1/sources/{id}/delta/{deltaEventId}',
      { params },
      // A first snapshot has nothing to differ from.
      { enabled: deltaEventId !== '' && check?.outcome === 'unchanged', staleTime: Infinity },
    ),
  );
  return data?.previousSnapshotId === null;
}
