// Rows of the report about comparing: ratios of figures from the same run.
import type { CompareResult } from './measure-compare.ts';

const MB = 1_000_000;

/** @returns measured, result, target and remarks */
export function compareRows(results: readonly CompareResult[]): string[][] {
  return [
    ...results.flatMap((result) => [...rowsOf(result), ...historyRows(result)]),
    ...growthRows(results),
  ];
}

/** From the smaller to the tenfold. */
function growthRows(results: readonly CompareResult[]): string[][] {
  return results.flatMap(({ rows, format, checks }) => {
    const larger = results.find((other) => other.rows === rows * 10 && other.format === format);
    if (larger === undefined) return [];
    const growth = (name: string, of: (times: CompareResult['checks']) => number) => [
      `${format}: ${name}, from ${rows.toLocaleString('en')} rows to ten times as many`,
      (of(larger.checks) / of(checks)).toFixed(1),
      '<= 11',
      `${of(checks).toFixed(0)} to ${of(larger.checks).toFixed(0)} ms`,
    ];
    return [
      growth('first check', ({ firstMs }) => firstMs),
      growth('check with 2 % changed', ({ changedMs }) => changedMs),
    ];
  });
}

function historyRows({ rows, format, history, small, checks }: CompareResult): string[][] {
  const what = `${rows.toLocaleString('en')} rows of ${format}`;
  const page = [
    `${what}: two snapshots compared over the API, to the first page`,
    `${checks.firstPageMs.toFixed(0)} ms`,
    rows === 1_000_000 ? '<= 1,500 ms' : '',
    '',
  ];
  if (history === undefined || small === undefined) return [page];
  const { fewVersions: few, manyVersions: many, snapshotBytes, bytesAfterChecks } = history;
  return [
    page,
    [
      `${what}: check with 200 versions behind it, to one with few`,
      (many.ms / few.ms).toFixed(2),
      '<= 1.1',
      `${many.ms.toFixed(0)} to ${few.ms.toFixed(0)} ms; ${(many.cpuMs / few.cpuMs).toFixed(2)} by CPU`,
    ],
    [
      `${what}: room after 50 checks with 1 % changed, to that of one snapshot`,
      (bytesAfterChecks / snapshotBytes).toFixed(2),
      '<= 2.0',
      `${(bytesAfterChecks / MB).toFixed(0)} to ${(snapshotBytes / MB).toFixed(0)} MB, with indexes`,
    ],
    ...(['unchanged', 'changed'] as const).map((outcome) => [
      `500 rows, ${outcome}: statements per check`,
      small[outcome].statements.toFixed(1),
      outcome === 'unchanged' ? '<= 4' : '',
      `CPU ${small[outcome].workerCpuMs.toFixed(1)} ms in the worker, ${small[outcome].postgresCpuMs.toFixed(1)} ms in PostgreSQL`,
    ]),
  ];
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
