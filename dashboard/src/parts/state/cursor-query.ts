// How useInfiniteQuery goes through a list of the API: each page names where the next one begins.

interface CursorPage {
  nextCursor: string | null;
}

export const BY_CURSOR = {
  // The first page has no cursor; the type is that of those that come later too.
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: CursorPage): string | undefined => nextCursor ?? undefined,
};
