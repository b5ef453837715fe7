// The number of new, changed and deleted rows in each bucket of time, as the chart takes them.

export interface ChangeBucket {
  /** ISO 8601. */
  start: string;
  newCount: number;
  changedCount: number;
  deletedCount: number;
}

/** Known before the chart itself has loaded. */
export const PLOT_HEIGHT_PX = 220;

export type Step = 'hour' | 'day';

export const STEP_MS: Readonly<Record<Step, number>> = { hour: 3_600_000, day: 86_400_000 };

/** A period in milliseconds since the epoch; its end is exclusive. */
export interface Stretch {
  sinceMs: number;
  untilMs: number;
}

export const sumOf = (buckets: readonly ChangeBucket[]) => ({
  new: buckets.reduce((sum, { newCount }) => sum + newCount, 0),
  changed: buckets.reduce((sum, { changedCount }) => sum + changedCount, 0),
  deleted: buckets.reduce((sum, { deletedCount }) => sum + deletedCount, 0),
});

/** The buckets of a period, or null if it has parts of buckets or begins outside of the chart: their sum is not that of its events. */
export function wholeBuckets(
  buckets: readonly ChangeBucket[],
  { sinceMs, untilMs }: Stretch,
  step: Step,
): readonly ChangeBucket[] | null {
  const starts = buckets.map(({ start }) => Date.parse(start));
  const endMs = (starts.at(-1) ?? 0) + STEP_MS[step];
  const isWhole = starts.includes(sinceMs) && (starts.includes(untilMs) || untilMs >= endMs);
  if (!isWhole || untilMs <= sinceMs) return null;
  return buckets.filter(({ start }) => Date.parse(start) >= sinceMs && Date.parse(start) < untilMs);
}

/** Days are UTC days, as the API counts them. Hours are the reader's. */
export function bucketWords(start: string, step: Step): string {
  return new Intl.DateTimeFormat(
    undefined,
    step === 'day' ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(new Date(start));
}

/** Times in seconds, and the heights of stacked bars: new, plus changed, plus deleted. */
export function stacked(buckets: readonly ChangeBucket[]): [number[], number[], number[], number[]] {
  return [
    buckets.map(({ start }) => Date.parse(start) / 1_000),
    buckets.map(({ newCount, changedCount, deletedCount }) => newCount + changedCount + deletedCount),
    buckets.map(({ newCount, changedCount }) => newCount + changedCount),
    buckets.map(({ newCount }) => newCount),
  ];
}

/** The whole buckets that a period touches. */
export function snapped({ sinceMs, untilMs }: Stretch, step: Step): Stretch {
  const stepMs = STEP_MS[step];
  return {
    sinceMs: Math.floor(sinceMs / stepMs) * stepMs,
    untilMs: Math.max(Math.ceil(untilMs / stepMs), Math.floor(sinceMs / stepMs) + 1) * stepMs,
  };
}
