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
    const place = value === null || value === '' ? Number.NaN : placeOf(value);
    return value === null || Number.isNaN(place) ? [] : [{ value, place, count }];
  });
  points.sort((left, right) => left.place - right.place);
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || first.place === last.place) return undefined;
  const counts = Array.from({ length: BINS }, () => 0);
  const width = (last.place - first.place) / BINS;
  for (const { place, count } of points) {
    const bin = Math.min(BINS - 1, Math.floor((place - first.place) / width));
    counts[bin] = (counts[bin] ?? 0) + count;
  }
  return { counts, least: first.value, greatest: last.value };
}

/** A number as it is, anything else as a time. */
const placeOf = (text: string): number => (Number.isNaN(Number(text)) ? Date.parse(text) : Number(text));
