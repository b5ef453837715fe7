// How far a time is from now, in words.

const SECOND_MS = 1_000;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
/** For seconds only. It would call 47 hours ago yesterday. */
const relativeToNow = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `3 minutes ago`, `in 2 hours`, `now`. @param distanceMs negative: in the past */
export function agoWords(distanceMs: number): string {
  const found = UNITS.find(([, ms]) => Math.abs(distanceMs) >= ms);
  if (found === undefined) return relativeToNow.format(Math.trunc(distanceMs / SECOND_MS), 'second');
  const [unit, unitMs] = found;
  return relative.format(Math.trunc(distanceMs / unitMs), unit);
}
