// Rows that come in pages: the first at once, the others as they are asked for.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { BY_CURSOR } from '../state/cursor-query.ts';

export interface RowPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** What a page is asked with: no cursor for the first one. */
export type ReadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<RowPage<Row>>;

export interface RowPages<Row> {
  /** Undefined until the first page is there. */
  rows: readonly Row[] | undefined;
  pages: readonly (readonly Row[])[];
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Does nothing while a page is on its way, after the last one, and after one that failed. */
  loadMore: () => void;
  /** After one that failed. */
  retry: () => void;
}

/** @param key of what is asked; the rows of a key never change, so they are asked for once */
export function useRowPages<Row>(key: readonly unknown[], read: ReadPage<Row>, isEnabled = true) {
  const query = useInfiniteQuery({
    queryKey: ['rows', ...key],
    queryFn: ({ pageParam, signal }) => untilFound(read, pageParam, signal),
    ...BY_CURSOR,
    staleTime: Infinity,
    enabled: isEnabled,
  });
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    query;
  const pages = useMemo(() => data?.pages.map(({ rows }) => rows) ?? [], [data]);
  const rows = useMemo(() => (data === undefined ? undefined : pages.flat()), [data, pages]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const retry = useCallback(
    () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    [isFetchNextPageError, fetchNextPage, refetch],
  );
  const state: RowPages<Row> = {
    rows,
    pages,
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    retry,
  };
  return state;
}

/** A page of a search may hold no row although there is more to look at: asks for the pages after it at once. */
async function untilFound<Row>(
  read: ReadPage<Row>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<RowPage<Row>> {
  for (let next = cursor; ;) {
    // Where the next one begins stands in the one before.
    // oxlint-disable-next-line no-await-in-loop
    const page = await read(next, signal);
    if (page.rows.length > 0 || page.nextCursor === null) return page;
    next = page.nextCursor;
  }
}
