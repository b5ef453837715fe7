// The record as the API shows it, kept up to date while it is looked at.
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../client/api-provider.tsx';

/** A change of the record's state is seen within this; the answer is a 304 most of the time. */
const REFRESH_MS = 5_000;

export function useRecord(ref: string) {
  const { queryOptions } = useApiQueries();
  const params = { path: { id: ref } };
  return useQuery(queryOptions('get', '/v1/sources/{id}', { params }, { refetchInterval: REFRESH_MS }));
}
