// Comparing large bodies: the step alone and whole checks, side by side with DuckDB, md5sum and COPY on the same data.
import { execFile } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import type { PeerResult } from './duckdb.ts';
import { type FileOrigin, startFileOrigin } from './file-origin.ts';
import { expectedCounts, writeFeed } from './make-feed.ts';
import { type CheckTimes, measureChecks } from './measure-checks.ts';
import { type HistoryResult, measureHistory } from './measure-history.ts';
import type { SmallResult } from './small.ts';
import type { StepResult } from './step.ts';

export interface CompareResult {
  rows: number;
  format: 'csv' | 'jsonl';
  bodyBytes: number;
  step: { ms: number; cpuMs: number; peakBytes: number };
  duckdb: { ms: number; cpuMs: number; peakBytes: number };
  md5Ms: number;
  checks: CheckTimes;
  /** Every row differs in a column that is ignored. */
  worstMs: number;
  /** Of CSV only: the format makes no difference to it. */
  history?: HistoryResult;
  small?: SmallResult;
}

const run = promisify(execFile);
const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export async function measureCompare(
  system: System,
  folder: string,
  { rows, format, rounds }: { rows: number; format: 'csv' | 'jsonl'; rounds: number },
  report: (text: string) => void,
): Promise<CompareResult> {
  const feedFolder = join(folder, `${format}-${rows}`);
  mkdirSync(feedFolder, { recursive: true });
  const file = (name: string): string => join(feedFolder, `${name}.${format}`);
  report(`compare: writing ${rows} rows of ${format}`);
  await writeFeed(file('1'), { rows, format, version: 1 });
  await writeFeed(file('2'), { rows, format, version: 2 });
  await writeFeed(file('touched'), { rows, format, version: 1, touchesAll: true });
  await run(process.execPath, [script('step.ts'), 'index', feedFolder, format]);

  report('compare: the step alone');
  const step = await runJson<StepResult>('step.ts', 'compare', feedFolder, format, String(rows));
  const { counts, ...duckdb } = await measureDuckdb(feedFolder, format);
  const md5 = await timesOf(rounds, () => run('md5sum', [file('2')]));
  requireSame(counts, expectedCounts(rows));

  report('compare: whole checks');
  const origin = await startFileOrigin(format === 'csv' ? 'text/csv' : 'application/jsonl');
  const feed = { format, folder: feedFolder, rounds } as const;
  const checks = await measureChecks(system, origin, {
    ...feed,
    files: [file('1'), file('2')],
    ignoreFields: [],
  });
  requireSame(checks.counts, expectedCounts(rows));
  const worst = await measureChecks(system, origin, {
    ...feed, rounds: 1, files: [file('1'), file('touched')], ignoreFields: ['updated_at'],
  }); // prettier-ignore
  const more =
    format === 'csv' ? await measureMore(system, origin, { folder: feedFolder, rows, rounds }, report) : {};
  await origin.close();
  return {
    ...more,
    rows,
    format,
    bodyBytes: statSync(file('2')).size,
    step: middle(step),
    duckdb,
    md5Ms: median(md5),
    checks,
    worstMs: worst.changedMs,
  };
}

/** DuckDB's comparison of the two versions in a folder. */
export async function measureDuckdb(
  feedFolder: string,
  format: 'csv' | 'jsonl',
): Promise<CompareResult['duckdb'] & Pick<PeerResult, 'counts'>> {
  const result = await runJson<PeerResult>('duckdb.ts', feedFolder, format);
  return { ...middle(result), counts: result.counts };
}

async function measureMore(
  system: System,
  origin: FileOrigin,
  feed: { folder: string; rows: number; rounds: number },
  report: (text: string) => void,
): Promise<Pick<CompareResult, 'history' | 'small'>> {
  report('compare: history, and a small feed');
  const { databaseUrl, pids } = system.dev;
  return {
    history: await measureHistory(system, origin, feed),
    small: await runJson<SmallResult>('small.ts', databaseUrl, String(pids['postgresql'] ?? 0), feed.folder),
  };
}

const middle = ({ rounds, peakBytes }: StepResult | PeerResult) => ({
  ms: median(rounds.map(({ ms }) => ms)),
  cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  peakBytes,
});

async function runJson<T>(name: string, ...args: string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [script(name), ...args]);
  const result: T = JSON.parse(stdout);
  return result;
}

async function timesOf(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const beganMs = performance.now();
    await work();
    times.push(performance.now() - beganMs);
  }
  return times;
}

/** A comparison that is fast and wrong would say nothing. */
export function requireSame(counts: Record<string, number>, expected: Record<string, number>): void {
  const isSame = Object.entries(expected).every(([name, count]) => counts[name] === count);
  if (!isSame) throw new Error(`Wrong counts: ${JSON.stringify(counts)}`);
}
