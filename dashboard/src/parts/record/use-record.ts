// The record, kept up to date while it is shown, and all data that depend on its checks.
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApiQueries } from '../../client/api-provider.tsx';
import type { TrackedRecord } from './record-state.ts';

/** The longest time until a change of the record is seen. Most answers are 304. */
const REFRESH_MS = 5_000;
/** For a record that is checked more often than that. */
const LEAST_REFRESH_MS = 2_000;

/** @param isEnabled false where there is no record */
export function useRecord(ref: string, isEnabled = true) {
  const { queryOptions } = useApiQueries();
  const params = { path: { id: ref } };
  return useQuery(
    queryOptions(
      'get',
      '/v1/sources/{id}',
      { params },
      { refetchInterval: ({ state }) => refreshMs(state.data), enabled: isEnabled },
    ),
  );
}

const refreshMs = (record: TrackedRecord | undefined): number =>
  record === undefined
    ? REFRESH_MS
    : Math.min(REFRESH_MS, Math.max(LEAST_REFRESH_MS, record.checkIntervalMinutes * 30_000));

/** Reloads everything that is shown of records. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/sources'),
    });
}

/** Shows what an operation answered about the record, without another request. */
export function useShowRecord(): (ref: string, record: TrackedRecord) => void {
  const queries = useQueryClient();
  const { queryOptions } = useApiQueries();
  return (ref, record) => {
    const { queryKey } = queryOptions('get', '/v1/sources/{id}', { params: { path: { id: ref } } });
    // Only the answer about a single record has notices.
    queries.setQueryData<TrackedRecord>(queryKey, (before) => ({ ...before, ...record }));
  };
}

/** Queries whose results a check may change, beside the record itself. */
const HANGS_ON_CHECKS = [
  '/v1/sources/{id}/activity',
  '/v1/sources/{id}/checks',
  '/v1/sources/{id}/checks/{checkId}',
  '/v1/sources/{id}/delta',
  '/v1/sources/{id}/snapshots',
];

const isOfChecks = ({ queryKey }: { queryKey: QueryKey }): boolean =>
  HANGS_ON_CHECKS.some((path) => queryKey[1] === path);

/** The lists below reload when the record reports another check, so one poll serves them all. */
export function useFreshLists(record: TrackedRecord | undefined): void {
  const queries = useQueryClient();
  const known = useRef<string | null>(undefined);
  const lastCheckedAt = record?.lastCheckedAt;
  useEffect(() => {
    if (lastCheckedAt === undefined) return;
    if (known.current !== undefined && known.current !== lastCheckedAt) {
      void queries.invalidateQueries({ predicate: isOfChecks });
    }
    known.current = lastCheckedAt;
  }, [queries, lastCheckedAt]);
}
