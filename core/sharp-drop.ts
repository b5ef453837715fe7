// Protects against mass deletion. A sharp drop in rows is recorded only when a later body confirms it, and after a person has
// rejected it, only when a person accepts it.

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

/** Whether to hold the body. An empty body is a drop, however few rows there were. */
export function isSharpDrop({ before, now, held, rejected, heldBeforeMs, recheckMs }: Rows): boolean {
  const isDrop = now === 0 ? before > 0 : before >= SMALLEST_TABLE && now * 2 < before;
  // A body that is held because a similar one was rejected confirms nothing, because counts may drift.
  const isLater = heldBeforeMs !== null && heldBeforeMs >= recheckMs;
  const isConfirmed = held !== null && isLater && isLike(now, held) && !isLike(held, rejected);
  return isDrop && (isLike(now, rejected) || !isConfirmed);
}

/** Whether two row counts are within 10 % of each other. */
export const isLike = (now: number, other: number | null): boolean =>
  other !== null && Math.abs(now - other) <= other * 0.1;
