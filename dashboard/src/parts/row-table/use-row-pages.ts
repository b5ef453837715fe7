// Rows in pages: the first at once, the others on request.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { BY_CURSOR } from '../state/cursor-query.ts';

export interface RowPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** Requests a page; without a cursor, the first one. */
export type ReadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<RowPage<Row>>;

export interface RowPages<Row> {
  /** Undefined until the first page is loaded. */
  rows: readonly Row[] | undefined;
  pages: readonly (readonly Row[])[];
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Does nothing while a page is loading, after the last one, and after a failure. */
  loadMore: () => void;
  /** After a failure. */
  retry: () => void;
}

/** @param key identifies the request; the rows of a key never change, so they are requested once */
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

/** A page of a search may have no rows although there is more to read: requests the next pages at once. */
async function untilFound<Row>(
  read: ReadPage<Row>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<RowPage<Row>> {
  for (let next = cursor; ;) {
    // Each page has the next one's cursor.
    // oxlint-disable-next-line no-await-in-loop
    const page = await read(next, signal);
    if (page.rows.length > 0 || page.nextCursor === null) return page;
    next = page.nextCursor;
  }
}
