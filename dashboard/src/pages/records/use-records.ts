// The account's records in pages, failing ones first unless asked otherwise.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { answerOf } from '../../client/answer-of.ts';
import { useApiClient } from '../../client/api-provider.tsx';
import { given } from '../../parts/given.ts';
import type { TrackedRecord } from '../../parts/record-state.ts';

export const SORTS = {
  health: 'Failing first',
  lastChange: 'Last change',
  name: 'Name',
  created: 'Newest',
} as const;

export type Sort = keyof typeof SORTS;

const PAGE_RECORDS = 100;
const REFRESH_MS = 10_000;

interface RecordPage {
  sources: TrackedRecord[];
  nextCursor: string | null;
}

export function useRecords(search: string, sort: Sort) {
  const api = useApiClient();
  const query = useInfiniteQuery({
    queryKey: ['records', search, sort],
    queryFn: ({ pageParam: cursor, signal }) => {
      const asked = { limit: PAGE_RECORDS, sort, ...given({ search: search || undefined, cursor }) };
      return answerOf(api.GET('/v1/sources', { params: { query: asked }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: RecordPage) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const pages = query.data?.pages.map(({ sources }) => sources);
  // A record that moves while its list is paged may come twice.
  const records = pages && [...new Map(pages.flat().map((record) => [record.id, record])).values()];
  return { ...query, pages, records };
}
