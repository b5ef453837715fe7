// How useInfiniteQuery pages through a list of the API: each page has the next one's cursor.

interface CursorPage {
  nextCursor: string | null;
}

export const BY_CURSOR = {
  // The first page has no cursor; the type is that of later pages too.
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: CursorPage): string | undefined => nextCursor ?? undefined,
};
