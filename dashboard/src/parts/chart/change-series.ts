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
