// Pages of a list: where a page begins, and how many rows it may hold.
import type { Model, QueryBuilder } from 'objection';

/** Where a page begins: after the item with this position, in the page's order. */
export interface PageRequest<Position> {
  after: Position | null;
  limit: number;
}

export type SortOrder = 'asc' | 'desc';

/** A page by id, which is by age: one more than the limit, so that the caller sees whether more follow. */
export function pageById<Row extends Model>(
  query: QueryBuilder<Row, Row[]>,
  order: SortOrder,
  { after, limit }: PageRequest<string>,
): QueryBuilder<Row, Row[]> {
  if (after !== null) void query.where('id', order === 'desc' ? '<' : '>', after);
  return query.orderBy('id', order).limit(limit + 1);
}

/** The condition with which a page of rows begins. Empty for the first page, because an empty key is a key too. */
export const afterKey = (column: string, { after }: PageRequest<string>): string =>
  after === null ? '' : `and ${column} > :after collate "C"`;

/** The most bytes that the rows of a page may have together. The row that exceeds it is the page's last. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** SQL for whether a row of `page`, a query whose rows have a `weight` in bytes, still belongs to the page. */
export const fitsBy = (order: string, maxBytes: number | string = MAX_PAGE_BYTES): string =>
  `coalesce(sum(weight) over (order by ${order} rows between unbounded preceding and 1 preceding), 0)
  < ${maxBytes} as fits`;

export const FITS = fitsBy('key');
