// The brake on mass deletion (design 7): a sharp drop is believed only when a body that was asked for some time after the
// first shows it too, and one that a person did not believe only when a person does.

const SMALLEST_TABLE = 20;

/** Row counts of the snapshot, of the body at hand, of the body that is held and of one that was rejected. */
interface Rows {
  before: number;
  now: number;
  held: number | null;
  rejected: number | null;
  /** How long after the first held body of about as many rows the one at hand was asked for; null: nothing is held. */
  heldBeforeMs: number | null;
  /** How long it has to be, whoever asks: two answers of the same moment are one. */
  recheckMs: number;
}

/** Whether so few rows are to be held rather than recorded. An empty table is a drop however small it was. */
export function isSharpDrop({ before, now, held, rejected, heldBeforeMs, recheckMs }: Rows): boolean {
  const isDrop = now === 0 ? before > 0 : before >= SMALLEST_TABLE && now * 2 < before;
  // What is held because it was rejected before confirms nothing either: counts may drift.
  const isLater = heldBeforeMs !== null && heldBeforeMs >= recheckMs;
  const isConfirmed = held !== null && isLater && isLike(now, held) && !isLike(held, rejected);
  return isDrop && (isLike(now, rejected) || !isConfirmed);
}

/** Whether a second body with so many rows confirms the first, or is rejected with it. */
export const isLike = (now: number, other: number | null): boolean =>
  other !== null && Math.abs(now - other) <= other * 0.1;
