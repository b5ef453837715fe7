// Counts values in equal ranges: numbers, or times.
import type { CountedValue } from './use-column-values.ts';

export interface Histogram {
  counts: readonly number[];
  least: string;
  greatest: string;
}

const BINS = 24;

/** @returns undefined if there are no two different values */
export function histogramOf(values: readonly CountedValue[]): Histogram | undefined {
  const points = values.flatMap(({ value, count }) => {
    const coordinate = value === null || value === '' ? Number.NaN : coordinateOf(value);
    return value === null || Number.isNaN(coordinate) ? [] : [{ value, coordinate, count }];
  });
  points.sort((left, right) => left.coordinate - right.coordinate);
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || first.coordinate === last.coordinate) return undefined;
  const counts = Array.from({ length: BINS }, () => 0);
  const width = (last.coordinate - first.coordinate) / BINS;
  for (const { coordinate, count } of points) {
    const bin = Math.min(BINS - 1, Math.floor((coordinate - first.coordinate) / width));
    counts[bin] = (counts[bin] ?? 0) + count;
  }
  return { counts, least: first.value, greatest: last.value };
}

/** A number as it is, anything else as a time. */
const coordinateOf = (text: string): number => (Number.isNaN(Number(text)) ? Date.parse(text) : Number(text));
