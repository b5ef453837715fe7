// Medians and percentiles of measurements.

/** @throws Error when there are none */
export const median = (values: readonly number[]): number =>
  // Of an even number, the middle of the two in the middle.
  (percentile(values, 50) +
    percentile(
      values.map((value) => -value),
      50,
    ) *
      -1) /
  2;

/** The smallest value that so many percent of the values do not exceed. @throws Error when there are none */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('There is nothing to take a percentile of');
  return value;
}
