// The account's records in pages, failing ones first by default.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { answerOf } from '../../client/answer-of.ts';
import { useApiClient } from '../../client/api-provider.tsx';
import { BY_CURSOR } from '../../parts/state/cursor-query.ts';
import { given } from '../../parts/state/given.ts';

export const SORTS = {
  health: 'Failing first',
  lastChange: 'Last change',
  name: 'Name',
  created: 'Newest',
} as const;

export type Sort = keyof typeof SORTS;

const PAGE_RECORDS = 100;
const REFRESH_MS = 10_000;

/** @param labels as `name:value`: only records with all of them */
export function useRecords(search: string, sort: Sort, labels: readonly string[]) {
  const api = useApiClient();
  const query = useInfiniteQuery({
    queryKey: ['records', search, sort, labels],
    queryFn: ({ pageParam: cursor, signal }) => {
      const label = labels.length === 0 ? undefined : [...labels];
      const asked = { limit: PAGE_RECORDS, sort, ...given({ search: search || undefined, label, cursor }) };
      return answerOf(api.GET('/v1/sources', { params: { query: asked }, signal }));
    },
    ...BY_CURSOR,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const pages = query.data?.pages.map(({ sources }) => sources);
  // A record that moves while its list is paged may come twice.
  const records = pages && [...new Map(pages.flat().map((record) => [record.id, record])).values()];
  const { error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  // After a page has failed, the query reloads the existing pages, and then the next one. This waits for that, because
  // another call would cancel it.
  const loadMore = useCallback(() => {
    if (!isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isFetching, isFetchNextPageError, fetchNextPage]);
  return { pages, records, error, hasNextPage, loadMore };
}
