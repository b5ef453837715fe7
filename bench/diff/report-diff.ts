// Rows of the report about `recordwatch diff`: the time that each program takes, to md5sum of the same files in the same run.
import type { DiffResult } from './measure-diff.ts';

const MB = 1_000_000;

/** @returns measured, result, target and remarks */
export const diffRows = (results: readonly DiffResult[]): string[][] => results.flatMap(rowsOf);

function rowsOf({ rows, bodyBytes, costs }: DiffResult): string[][] {
  const [md5, ...others] = costs;
  if (md5 === undefined) return [];
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
  return others.map(({ name, ms, cpuMs, peakBytes }) => [
    `${rows.toLocaleString('en')} rows (${(bodyBytes / MB).toFixed(0)} MB): ${name}, to ${md5.name}`,
    (ms / md5.ms).toFixed(1),
    name.startsWith('recordwatch') && rows === 1_000_000 ? '<= 1.5' : '',
    `${seconds(ms)}; ${seconds(cpuMs)} of CPU, ${(cpuMs / md5.cpuMs).toFixed(1)} of it; ${(peakBytes / MB).toFixed(0)} MB`,
  ]);
}
