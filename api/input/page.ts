// Pages of a list: limits, cursors and the envelope of every listing.
import { Type } from 'typebox';
import type { CursorBinding, CursorPosition } from '../../core/crypto/cursor.ts';
import type { PageRequest } from '../../db/page.ts';
import type { Context } from '../contract/context.ts';

/** Members of a page that belongs to no record. */
export const envelope = {
  count: Type.Integer({ minimum: 0, description: 'Items in this page.' }),
  hasMore: Type.Boolean(),
  nextCursor: Type.Union([
    Type.String({ description: 'Send it as `cursor` for the next page.', examples: ['eyJ2IjoxfQ.nP3xQk9s'] }),
    Type.Null({ description: 'This is the last page.' }),
  ]),
};

/** Members of a page that belongs to a record. */
export const recordEnvelope = {
  sourceId: Type.String({ description: 'The record.', examples: ['src_019a2f6b7c8d7e9fa0b1c2d3e4f50617'] }),
  ...envelope,
};

export interface Listing extends CursorBinding {
  limits: PageLimits;
}

export interface PageLimits {
  /** The default. */
  fallback: number;
  max: number;
}

export const USUAL_LIMITS = { fallback: 50, max: 200 } as const;
export const DELTA_ROW_LIMITS = { fallback: 1_000, max: 5_000 } as const;

interface Page<Row> {
  count: number;
  hasMore: boolean;
  nextCursor: string | null;
  items: Row[];
}

/** Rows found until the read stopped, to limit its time. */
export interface PartOfRows<Row, Position> {
  rows: Row[];
  /** Null if there are no more rows. */
  stoppedAt: Position | null;
}

/**
 * Reads one page.
 * @param read returns one row more than the limit, if there is one
 * @param positionOf the position after which `read` continues
 * @param fits false for the first row that exceeds the page; the first row always fits
 * @throws ApiError invalid_cursor
 */
export async function readPage<Row, Position extends CursorPosition>(
  ctx: Pick<Context, 'cursors'>,
  listing: Listing,
  query: { limit?: number; cursor?: string },
  read: (page: PageRequest<Position>) => Promise<Row[] | PartOfRows<Row, Position>>,
  positionOf: (row: Row) => Position,
  fits: (row: Row) => boolean = () => true,
): Promise<Page<Row>> {
  const limit = Math.min(query.limit ?? listing.limits.fallback, listing.limits.max);
  // An empty cursor means the first page.
  const { cursor = '' } = query;
  // A cursor is encrypted and bound to its listing, so it contains what this listing's positionOf returned.
  const after = cursor === '' ? null : (ctx.cursors.open(listing, cursor) as Position);
  const found = await read({ after, limit });
  const { rows, stoppedAt } = Array.isArray(found) ? { rows: found, stoppedAt: null } : found;
  const tooMuchAt = rows.findIndex((row) => !fits(row));
  const items = rows.slice(0, tooMuchAt === -1 ? limit : Math.min(limit, tooMuchAt));
  const last = items.at(-1);
  const goOnAt = rows.length > items.length && last !== undefined ? positionOf(last) : stoppedAt;
  const nextCursor = goOnAt === null ? null : ctx.cursors.seal(listing, goOnAt);
  return { count: items.length, hasMore: goOnAt !== null, nextCursor, items };
}
