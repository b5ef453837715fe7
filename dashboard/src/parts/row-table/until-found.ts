// A page of a search may hold no row although there is more to look at: the ones after it are asked for at once.
import type { ReadPage, RowPage } from './use-row-pages.ts';

/** The first page with a row from a cursor on, or the last of all. */
export async function untilFound<Row>(
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
