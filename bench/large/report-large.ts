// Rows of the report about large records: ratios of figures from the same run.
import type { LargeCost, LargeResult } from './measure-large.ts';

const MB = 1_000_000;
/** Targets for the changed check by rows. */
const TARGETS: Readonly<Record<number, string>> = { 1_000_000: '<= 1.6', 10_000_000: '<= 2.5' };

/** @returns measured, result, target and remarks */
export function largeRows(results: readonly LargeResult[]): string[][] {
  return results.flatMap(({ rows, ours, duckdb, copy, beside }) => {
    const what = `${rows.toLocaleString('en')} rows`;
    const ratios = (name: string, cost: LargeCost, peer: string, base: LargeCost, target = ''): string[] => [
      `${what}: ${name}, to ${peer}, by CPU`,
      (cost.cpuMs / base.cpuMs).toFixed(2),
      target,
      `${seconds(cost.cpuMs)} to ${seconds(base.cpuMs)}; ${(cost.ms / base.ms).toFixed(2)} by time, ${seconds(cost.ms)} to ${seconds(base.ms)}`,
    ];
    const memory = ({ first, changed }: LargeResult['ours']['peakBytes']): string =>
      `${(first / MB).toFixed(0)} and ${(changed / MB).toFixed(0)} MB`;
    return [
      ratios('changed check', ours.changed, 'DuckDB', duckdb, TARGETS[rows]),
      ratios('first check', ours.first, 'COPY', copy, '<= 1.2'),
      [
        `${what}: peak memory of the worker, first and changed check`,
        memory(ours.peakBytes),
        '<= 500 MB',
        beside === undefined ? '' : `${memory(beside.peakBytes)} in the other checkout`,
      ],
      ...(beside === undefined
        ? []
        : [
            ratios('changed check', ours.changed, 'the other checkout', beside.changed),
            ratios('first check', ours.first, 'the other checkout', beside.first),
          ]),
    ];
  });
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
