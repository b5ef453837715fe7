// Durations and times as text, for operators.

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** The two largest units that are not zero: 90,061 milliseconds is `1 min 30 s`. Below a second, `250 ms`. */
export function durationInWords(ms: number): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  let rest = Math.round(ms / 1_000) * 1_000;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ');
}

/** A time to the second, such as `2026-11-22T17:26:27Z`. @param atMs milliseconds since the epoch */
export const timeInWords = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');

/** Why a workflow waits and until when, for the Temporal UI. */
export function waitingWords(words: string, waitMs: number): string {
  if (waitMs <= 0) return `${words}\n\nNext attempt now.`;
  return `${words}\n\nNext attempt at ${timeInWords(Date.now() + waitMs)}.`;
}
