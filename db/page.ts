// Pages of a listing: where one begins, and how many rows it may hold.

/** Where a page begins: after the item with this position, in the page's order. */
export interface PageRequest<Position> {
  after: Position | null;
  limit: number;
}

export type SortOrder = 'asc' | 'desc';

/** The condition that begins a page of rows. None at the first: an empty key sorts before all others, and is one. */
export const afterKey = (column: string, { after }: PageRequest<string>): string =>
  after === null ? '' : `and ${column} > :after collate "C"`;

/** What the rows of a page may weigh together; the row that passes it is the page's last. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Whether a row of `page`, a query whose rows come with their `weight` in bytes, still belongs to the page. */
export const fitsBy = (order: string): string =>
  `coalesce(sum(weight) over (order by ${order} rows between unbounded preceding and 1 preceding), 0)
  < ${MAX_PAGE_BYTES} as fits`;

export const FITS = fitsBy('key');
