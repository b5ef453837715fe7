// Whether a series of samples levels off: how steep it is over its second half.
import { median } from '../statistics.ts';

export interface Point {
  atMs: number;
  value: number;
}

export interface Trend {
  first: number;
  last: number;
  /** Of the second half, per hour, as a share of its median. */
  growthPerHour: number;
}

const HOUR_MS = 3_600_000;

/**
 * The slope is the median of the slopes between all pairs of points (Theil and Sen), on which single peaks have no effect.
 * @throws Error when there are fewer than four points
 */
export function trendOf(points: readonly Point[]): Trend {
  const half = points.slice(Math.floor(points.length / 2));
  const [first, last] = [points[0], points.at(-1)];
  if (half.length < 2 || first === undefined || last === undefined)
    throw new Error('There are too few samples');
  const slopes = half.flatMap((from, index) =>
    half.slice(index + 1).map((to) => (to.value - from.value) / (to.atMs - from.atMs)),
  );
  const middle = median(half.map(({ value }) => value));
  const growth = median(slopes) * HOUR_MS;
  return {
    first: first.value,
    last: last.value,
    growthPerHour: growth === 0 ? 0 : growth / Math.max(middle, 1),
  };
}
