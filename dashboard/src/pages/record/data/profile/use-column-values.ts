// A column's values, and how often each occurs.
import { useQuery } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { useApiClient } from '../../../../client/api-provider.tsx';
import type { components } from '../../../../client/schema.ts';
import { readExact, textOf, valueAt } from '../../../../parts/row-table/exact-json.ts';
import { useRecordRef } from '../../../../parts/record/record-ref.ts';

export interface CountedValue {
  /** Null: missing or null. */
  value: string | null;
  count: number;
}

interface Sampled {
  rows: components['schemas']['SnapshotRow'][];
}

/** The API reads many rows in two requests of a caller at a time. */
const limitReads = pLimit(2);

const SAMPLE_ROWS = 100;

/** The most frequent ones first. */
export function useColumnValues(snapshotId: string, column: string, limit: number, isEnabled: boolean) {
  const id = useRecordRef();
  const api = useApiClient();
  return useQuery({
    queryKey: ['column-values', id, snapshotId, column, limit],
    queryFn: async ({ signal }) => {
      const { data } = await limitReads(async () =>
        api.POST('/v1/sources/{id}/snapshots/{snapshotId}/query', {
          params: { path: { id, snapshotId } },
          body: {
            groupBy: [column],
            measures: [{ measure: 'count' }],
            orderBy: [{ by: 'count', direction: 'desc' }],
            limit,
          },
          signal,
        }),
      );
      const values = (data?.groups ?? []).map((one): CountedValue => ({
        value: one.group[column] ?? null,
        count: Number(one.values['count']),
      }));
      return { values, hasMore: data?.hasMore === true };
    },
    staleTime: Infinity,
    enabled: isEnabled,
  });
}

/** From rows taken at random, with one request for all columns. */
export function useColumnSample(snapshotId: string, column: string, isEnabled: boolean) {
  const id = useRecordRef();
  const api = useApiClient();
  return useQuery({
    queryKey: ['sample', id, snapshotId],
    queryFn: async ({ signal }): Promise<Sampled> => {
      const { data = '{}' } = await limitReads(async () =>
        api.GET('/v1/sources/{id}/snapshots/{snapshotId}/sample', {
          params: { path: { id, snapshotId }, query: { limit: SAMPLE_ROWS } },
          parseAs: 'text',
          signal,
        }),
      );
      return readExact<Sampled>(data);
    },
    select: ({ rows }): CountedValue[] =>
      rows.map(({ data }) => ({ value: textOf(valueAt(data, column)) ?? null, count: 1 })),
    staleTime: Infinity,
    enabled: isEnabled,
  });
}
