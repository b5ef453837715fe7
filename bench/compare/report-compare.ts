// What was measured of comparing, as rows of the report's table: ratios of figures from the same run.
import type { CompareResult } from './measure-compare.ts';

const MB = 1_000_000;

/** @returns measured, result, target and what stands beside it */
export function compareRows(results: readonly CompareResult[]): string[][] {
  return results.flatMap((result) => rowsOf(result));
}

function rowsOf({
  rows,
  format,
  bodyBytes,
  step,
  duckdb,
  md5Ms,
  checks,
  worstMs,
}: CompareResult): string[][] {
  const what = `${rows.toLocaleString('en')} rows of ${format}`;
  const row = (name: string, ms: number, peer: string, peerMs: number, target: string) => [
    `${what}: ${name}, to ${peer}`,
    (ms / peerMs).toFixed(2),
    target,
    `${ms.toFixed(0)} to ${peerMs.toFixed(0)} ms`,
  ];
  const cpu = `${step.cpuMs.toFixed(0)} to ${duckdb.cpuMs.toFixed(0)} ms of CPU`;
  return [
    row('compare step alone', step.ms, 'md5sum of the body', md5Ms, '<= 1.2'),
    [
      ...row('compare step alone', step.ms, 'DuckDB', duckdb.ms, '<= 0.4').slice(0, 3),
      `${step.ms.toFixed(0)} to ${duckdb.ms.toFixed(0)} ms; ${cpu}`,
    ],
    row('check with 2 % changed', checks.changedMs, 'DuckDB', duckdb.ms, '<= 1.5'),
    row('the same bytes again', checks.sameBytesMs, 'drain, hash and write', checks.drainMs, '<= 1.3'),
    row('every row differs in an ignored column', worstMs, 'DuckDB', duckdb.ms, '<= 2.5'),
    row('first check', checks.firstMs, 'COPY', checks.copyMs, '<= 1.5'),
    [
      `${what}: peak memory of the worker`,
      `${(checks.workerPeakBytes / MB).toFixed(0)} MB`,
      '<= 400 MB',
      `body ${(bodyBytes / MB).toFixed(0)} MB; step alone ${(step.peakBytes / MB).toFixed(0)} MB, DuckDB ${(duckdb.peakBytes / MB).toFixed(0)} MB`,
    ],
  ];
}
