// `recordwatch diff` beside other programs that compare two CSV files: the same files, each program as a process of its own.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { measureDuckdb, requireSame } from '../compare/measure-compare.ts';
import { expectedCounts, writeFeed } from '../compare/make-feed.ts';
import { median } from '../statistics.ts';
import { installPackages } from '../../test/support/servers/python-packages.ts';

interface ProgramCost {
  name: string;
  ms: number;
  cpuMs: number;
  peakBytes: number;
}

export interface DiffResult {
  rows: number;
  bodyBytes: number;
  costs: ProgramCost[];
}

interface Program {
  name: string;
  command: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** It takes minutes for more. */
  mostRows?: number;
  /** Of what it prints. */
  counts?: (stdout: string) => Record<string, number>;
  /** By default what the feed's second version differs in. */
  expected?: Record<string, number>;
}

const BUILD = fileURLToPath(new URL('../../tools/client-package/build-package.ts', import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));

/** Each is to find the key columns itself, or is told. Ours is the package that users install. */
async function programs(
  [one, two, copy]: readonly [string, string, string],
  place: string,
): Promise<Program[]> {
  const PYTHONPATH = await installPackages(REQUIREMENTS);
  const folder = join(place, 'package');
  await promisify(execFile)(process.execPath, [BUILD, folder]);
  const ours = (...args: string[]): string[] => [
    process.execPath,
    join(folder, 'dist/recordwatch.js'),
    'diff',
    ...args,
    '--format',
    'json',
  ];
  const counts = (stdout: string): Record<string, number> => JSON.parse(stdout).counts;
  const found: Program[] = [
    { name: 'md5sum of both files', command: ['md5sum', one, two] },
    { name: 'recordwatch diff', command: ours(one, two), counts },
    { name: 'recordwatch diff --key id', command: ours(one, two, '--key', 'id'), counts },
    { name: 'recordwatch diff, no row differs', command: ours(one, copy), counts, expected: NO_ROWS },
    {
      name: 'recordwatch diff --key id, no row differs',
      command: ours(one, copy, '--key', 'id'),
      counts,
      expected: NO_ROWS,
    },
    {
      name: 'csv-diff --key id',
      command: ['python3', '-c', 'from csv_diff.cli import cli; cli()', one, two, '--key', 'id', '--json'],
      env: { PYTHONPATH },
      mostRows: 10_000,
      counts: csvDiffCounts,
    },
    {
      name: 'daff --id id',
      command: ['python3', '-c', 'import daff; daff.main()', '--id', 'id', one, two],
      env: { PYTHONPATH },
      mostRows: 100_000,
      counts: daffCounts,
    },
  ];
  const qsv = { name: 'qsv diff --key 0', command: ['qsv', 'diff', '--key', '0', one, two] };
  return (await isThere('qsv')) ? [...found, qsv] : found;
}

const NO_ROWS = { new: 0, changed: 0, deleted: 0 };

const isThere = (program: string): Promise<boolean> =>
  promisify(execFile)(program, ['--version']).then(() => true, () => false); // prettier-ignore

function csvDiffCounts(stdout: string): Record<string, number> {
  const { added, changed, removed }: Record<string, unknown[]> = JSON.parse(stdout);
  return { new: added?.length ?? 0, changed: changed?.length ?? 0, deleted: removed?.length ?? 0 };
}

/** Its first column says what happened to a row. */
function daffCounts(stdout: string): Record<string, number> {
  const count = (sign: string): number =>
    stdout.split('\n').filter((line) => line.startsWith(`${sign},`)).length;
  return { new: count('+++'), changed: count('->'), deleted: count('---') };
}

export async function measureDiff(
  folder: string,
  { rows, rounds }: { rows: number; rounds: number },
  report: (text: string) => void,
): Promise<DiffResult> {
  const place = join(folder, `diff-${rows}`);
  mkdirSync(place, { recursive: true });
  const files = [join(place, '1.csv'), join(place, '2.csv'), join(place, 'copy.csv')] as const;
  report(`diff: writing ${rows} rows`);
  await writeFeed(files[0], { rows, format: 'csv', version: 1 });
  await writeFeed(files[1], { rows, format: 'csv', version: 2 });
  copyFileSync(files[0], files[2]);
  const measured = new Map<string, Omit<ProgramCost, 'name'>[]>();
  const fitting = (await programs(files, place)).filter(({ mostRows = Infinity }) => rows <= mostRows);
  // In turns, so that other work on the machine slows all of them alike.
  for (let round = 0; round < rounds; round++) {
    for (const program of fitting) {
      report(`diff: ${program.name}, round ${round + 1}`);
      const cost = await run(program, rows);
      measured.set(program.name, [...(measured.get(program.name) ?? []), cost]);
    }
  }
  const costs = [...measured].map(([name, list]) => ({
    name,
    ms: median(list.map(({ ms }) => ms)),
    cpuMs: median(list.map(({ cpuMs }) => cpuMs)),
    peakBytes: Math.max(...list.map(({ peakBytes }) => peakBytes)),
  }));
  report('diff: DuckDB');
  const { counts, ...duckdb } = await measureDuckdb(place, 'csv');
  requireSame(counts, expectedCounts(rows));
  const bodyBytes = statSync(files[1]).size;
  return {
    rows,
    bodyBytes,
    costs: [...costs, { name: 'DuckDB, counts only, in a running process', ...duckdb }],
  };
}

/** The kernel counts what a process used when it has ended. */
const COUNT_COSTS = `
import json, resource, subprocess, sys, time
began = time.monotonic()
code = subprocess.run(sys.argv[1:]).returncode
took = time.monotonic() - began
used = resource.getrusage(resource.RUSAGE_CHILDREN)
costs = {'ms': took * 1000, 'cpuMs': (used.ru_utime + used.ru_stime) * 1000, 'peakBytes': used.ru_maxrss * 1024, 'code': code}
print(json.dumps(costs), file=sys.stderr)`;

const MOST_OUTPUT_BYTES = 1024 ** 3;

async function run(
  { command, env, counts, expected }: Program,
  rows: number,
): Promise<Omit<ProgramCost, 'name'>> {
  const { stdout, stderr } = await promisify(execFile)('python3', ['-c', COUNT_COSTS, ...command], {
    maxBuffer: MOST_OUTPUT_BYTES,
    env: { ...process.env, ...env },
  });
  if (counts !== undefined) requireSame(counts(stdout), expected ?? expectedCounts(rows));
  const { code, ...costs } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  // As with diff(1), 1 is no error.
  if (code > 1) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr}`);
  return costs;
}
