// The columns of a record's data, to choose from.
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../client/api-provider.tsx';
import { useRecord } from './use-record.ts';

/** Of its latest snapshot; empty until they are known. @param id the record */
export function useLatestColumns(id: string): string[] {
  const { data: record } = useRecord(id);
  const snapshotId = record?.latestSnapshotId ?? null;
  const params = { path: { id, snapshotId: snapshotId ?? 'latest' } };
  const { data } = useQuery(
    useApiQueries().queryOptions(
      'get',
      '/v1/sources/{id}/snapshots/{snapshotId}',
      { params },
      { enabled: snapshotId !== null },
    ),
  );
  return data?.columns ?? [];
}
