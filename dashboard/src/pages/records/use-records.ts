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

/** The records of a part of the list. Health is that of records that are not paused. */
const PARTS = {
  all: {},
  failing: { health: 'failing', status: 'active' },
  held: { health: 'held', status: 'active' },
  healthy: { health: 'healthy', status: 'active' },
  paused: { status: 'paused' },
} as const;

export type Part = keyof typeof PARTS;

export const partNames = Object.keys(PARTS) as Part[];

interface Wanted {
  search: string;
  sort: Sort;
  /** As `name:value`: only records with all of them. */
  labels: readonly string[];
  part: Part;
}

const PAGE_RECORDS = 100;
const REFRESH_MS = 10_000;

export function useRecords({ search, sort, labels, part }: Wanted) {
  const api = useApiClient();
  const query = useInfiniteQuery({
    queryKey: ['records', search, sort, labels, part],
    queryFn: ({ pageParam: cursor, signal }) => {
      const label = labels.length === 0 ? undefined : [...labels];
      // The first page counts for all.
      const counts = cursor === undefined ? true : undefined;
      const chosen = given({ search: search || undefined, label, cursor, counts });
      const asked = { limit: PAGE_RECORDS, sort, ...PARTS[part], ...chosen };
      return answerOf(api.GET('/v1/sources', { params: { query: asked }, signal }));
    },
    ...BY_CURSOR,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const pages = query.data?.pages.map(({ sources }) => sources);
  // A record that moves while its list is paged may come twice.
  const records = pages && [...new Map(pages.flat().map((record) => [record.id, record])).values()];
  const { error, isPlaceholderData, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  // After a page has failed, the query reloads the existing pages, and then the next one. This waits for that, because
  // another call would cancel it.
  const loadMore = useCallback(() => {
    if (!isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isFetching, isFetchNextPageError, fetchNextPage]);
  const counts = query.data?.pages[0]?.counts;
  return { pages, records, counts, isPlaceholderData, error, hasNextPage, loadMore };
}
