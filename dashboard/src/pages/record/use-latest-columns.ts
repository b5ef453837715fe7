// The columns of a record's data, to choose from.
import { useQuery } from '@tanstack/react-query';
import { useApiQueries } from '../../client/api-provider.tsx';
import { useRecord } from '../../parts/record/use-record.ts';

/** Of its latest snapshot; empty until they are known. @param id the record; null for none */
export function useLatestColumns(id: string | null): string[] {
  const { data: record } = useRecord(id ?? '', id !== null);
  const snapshotId = record?.latestSnapshotId ?? null;
  const params = { path: { id: id ?? '', snapshotId: snapshotId ?? 'latest' } };
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
