// Protects against mass deletion. A sharp drop in rows, and a body that looks as if its export broke off, are recorded only when
// a later body confirms them, and after a person has rejected one, only when a person accepts it.
import type { IncompleteEnd } from './delta/incomplete-end.ts';

const SMALLEST_TABLE = 20;

/** Row counts of the snapshot, the current body, the held body and the rejected body. */
interface Rows {
  before: number;
  now: number;
  held: number | null;
  rejected: number | null;
  /** Milliseconds between the first held body with about as many rows and the current one; null if none is held. */
  heldBeforeMs: number | null;
  /** How long that must be at least, because two responses at the same moment confirm nothing. */
  recheckMs: number;
}

/** Whether to hold the body. */
export const isSharpDrop = (rows: Rows): boolean => isFewRows(rows) && !isConfirmed(rows);

/**
 * Whether to hold a body in which only the end is incomplete, as after an export that broke off and appended its error.
 * The caller also asks whether the body before ended so: the end is a footer then.
 */
export const mayHaveBrokenOff = (rows: Rows, end: IncompleteEnd | undefined): boolean =>
  end !== undefined && wholeRows(rows, end) < rows.before && !isConfirmed(rows);

/** What is said of such a body, without a full stop. */
export const brokenOff = (end: IncompleteEnd | undefined): string =>
  `Fewer rows than last time, and ${endWords(end)}, as after an export that broke off`;

export const endWords = (end: IncompleteEnd | undefined): string =>
  end === undefined || end.rows === 1
    ? 'the last one is incomplete'
    : `the last ${end.rows} are lines of an error`;

/** Whether most rows are gone. An empty body is a drop, however few rows there were. */
export const isFewRows = ({ before, now }: Pick<Rows, 'before' | 'now'>): boolean =>
  now === 0 ? before > 0 : before >= SMALLEST_TABLE && now * 2 < before;

/** The rows of a body without its incomplete end. */
export const wholeRows = ({ now }: Pick<Rows, 'now'>, end: IncompleteEnd | undefined): number =>
  Math.max(0, now - (end?.rows ?? 0));

function isConfirmed({ now, held, rejected, heldBeforeMs, recheckMs }: Rows): boolean {
  if (isLike(now, rejected)) return false;
  // A body that is held because a similar one was rejected confirms nothing, because counts may drift.
  const isLater = heldBeforeMs !== null && heldBeforeMs >= recheckMs;
  return held !== null && isLater && isLike(now, held) && !isLike(held, rejected);
}

/** Whether two row counts are within 10 % of each other. */
export const isLike = (now: number, other: number | null): boolean =>
  other !== null && Math.abs(now - other) <= other * 0.1;
