// How much changed in each record on each of the last 30 days.
import { useQueries } from '@tanstack/react-query';
import { useApiQueries } from '../../client/api-provider.tsx';
import type { components } from '../../client/schema.ts';
import type { TrackedRecord } from '../../parts/record/record-state.ts';

const DAYS = 30;
const REFRESH_MS = 60_000;

type Answer = { data: components['schemas']['ListActivityResult'] | undefined };

/**
 * @param pages records as they were listed: each page is requested once
 * @returns by the record's id; missing until it is known
 */
export function useChanges(pages: readonly (readonly TrackedRecord[])[]) {
  const { queryOptions } = useApiQueries();
  return useQueries({
    queries: pages.map((records) => {
      // Sorted, so that records that change places are not requested again.
      const sourceId = records.map(({ id }) => id).toSorted();
      const query = { days: DAYS, limit: records.length, sourceId };
      return queryOptions(
        'get',
        '/v1/activity',
        { params: { query } },
        { enabled: records.length > 0, staleTime: REFRESH_MS, refetchInterval: REFRESH_MS },
      );
    }),
    combine: byRecord,
  });
}

const byRecord = (answers: readonly Answer[]): ReadonlyMap<string, readonly number[]> =>
  new Map(
    answers.flatMap(({ data }) => data?.activity ?? []).map(({ sourceId, changes }) => [sourceId, changes]),
  );
