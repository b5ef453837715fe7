// Durations and times in words, for operators.

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `90061` milliseconds is `1 min 30 s`: the two largest units that are not zero; below a second, `250 ms`. */
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

/** Of milliseconds since the epoch, to the second: `2026-11-22T17:26:27Z`. Unlike a duration it does not go stale. */
export const timeInWords = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
