// The brake on mass deletion (design 7): a sharp drop is believed only when a second body shows it too.

const SMALLEST_TABLE = 20;

/**
 * Whether so few rows are to be held rather than recorded.
 * @param held rows of the body that is being held, when there is one
 */
export function isSharpDrop({
  before,
  now,
  held,
}: {
  before: number;
  now: number;
  held: number | null;
}): boolean {
  if (before < SMALLEST_TABLE || now * 2 >= before) return false;
  const isConfirmed = held !== null && Math.abs(now - held) <= held * 0.1;
  return !isConfirmed;
}
