// Pages of a list: limits, cursors and the envelope of every listing.
import { Type } from 'typebox';
import type { CursorBinding, CursorPosition } from '../core/crypto/cursor.ts';
import type { PageRequest } from '../db/snapshots.ts';
import type { Context } from './context.ts';

/** Members of a page that belongs to no record. */
export const envelope = {
  count: Type.Integer({ minimum: 0 }),
  hasMore: Type.Boolean(),
  nextCursor: Type.Union([Type.String(), Type.Null()]),
};

/** Members of a page of a record's things. */
export const recordEnvelope = { sourceId: Type.String(), ...envelope };

export interface Listing extends CursorBinding {
  limits: { fallback: number; max: number };
}

export const USUAL_LIMITS = { fallback: 50, max: 200 } as const;

interface Page<Row> {
  count: number;
  hasMore: boolean;
  nextCursor: string | null;
  items: Row[];
}

/**
 * Reads one page.
 * @param read gives one row more than the limit, if there is one
 * @param positionOf what `read` needs to go on after a row
 * @param fits false for the first row that is too much for this page; the first row of all always fits
 * @throws ApiError invalid_cursor
 */
export async function readPage<Row, Position extends CursorPosition>(
  ctx: Pick<Context, 'cursors'>,
  listing: Listing,
  query: { limit?: number; cursor?: string },
  read: (page: PageRequest<Position>) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
  fits: (row: Row) => boolean = () => true,
): Promise<Page<Row>> {
  const limit = Math.min(query.limit ?? listing.limits.fallback, listing.limits.max);
  // A cursor is authentic and bound to its listing, so it holds what this listing's positionOf made.
  const after = query.cursor === undefined ? null : (ctx.cursors.open(listing, query.cursor) as Position);
  const rows = await read({ after, limit });
  const tooMuchAt = rows.findIndex((row) => !fits(row));
  const items = rows.slice(0, tooMuchAt === -1 ? limit : Math.min(limit, tooMuchAt));
  const last = items.at(-1);
  const hasMore = rows.length > items.length;
  const nextCursor = hasMore && last !== undefined ? ctx.cursors.seal(listing, positionOf(last)) : null;
  return { count: items.length, hasMore, nextCursor, items };
}
