// Sizes and names of the source: small files, small functions, no barrels, no drawers for odds and ends.
// Which layer may import which is checked by lint (.oxlintrc.json).
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('..', import.meta.url);
const SERVER = globSync('{core,db,outbound,workflows,activities,api,worker,cli,demo}/**/*.ts', { cwd: ROOT });
/** Written by a program. */
const GENERATED = ['dashboard/src/client/schema.ts'];
const DASHBOARD = globSync('dashboard/{src,tools}/**/*.{ts,tsx}', { cwd: ROOT, exclude: GENERATED });
const SOURCES = [...SERVER, ...DASHBOARD].sort();
const TESTS = globSync('{test,bench}/**/*.ts', { cwd: ROOT }).sort();
/** Statements of SQL, which are long and flat. */
const MIGRATIONS = 'db/migrations/';

const linesOf = (file: string): string[] => readFileSync(new URL(file, ROOT), 'utf8').trimEnd().split('\n');

interface Size {
  name: string;
  lines: number;
}

const fileSize = (file: string): Size => ({ name: file, lines: linesOf(file).length });

/** Functions at the top of a file, as prettier lays them out: from a declaration to the first line that closes it. */
function functionSizes(file: string): Size[] {
  const lines = linesOf(file);
  return lines.flatMap((line, start) => {
    const declared =
      /^(?:export )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+) = .*=>$|^(?:export )?const (\w+) = (?:async )?\(/.exec(
        line,
      );
    if (declared === null) return [];
    const end = lines.findIndex(
      (other, at) => at >= start && (at === start ? /[;}]$/.test(other) : /^[^\s)]/.test(other)),
    );
    const name = declared[1] ?? declared[2] ?? declared[3] ?? '';
    return [{ name: `${file} ${name}`, lines: (end === -1 ? lines.length : end) - start + 1 }];
  });
}

function median(sizes: readonly Size[]): number {
  const sorted = sizes.map(({ lines }) => lines).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** What is too long, as it is to be printed. */
const offenders = (sizes: readonly Size[], cap: number): string[] =>
  sizes.filter(({ lines }) => lines > cap).map(({ name, lines }) => `${name}: ${lines} lines`);

describe('files', () => {
  it('are found', () => {
    expect(SERVER.length).toBeGreaterThan(80);
    expect(DASHBOARD.length).toBeGreaterThan(80);
    expect(TESTS.length).toBeGreaterThan(20);
  });

  it('are short: at most 400 lines, tests 500, half of them at most 90', () => {
    expect(offenders(SOURCES.map(fileSize), 400)).toEqual([]);
    expect(offenders(TESTS.map(fileSize), 500)).toEqual([]);
    expect(median(SERVER.map(fileSize))).toBeLessThanOrEqual(90);
    expect(median(DASHBOARD.map(fileSize))).toBeLessThanOrEqual(90);
  });

  it('say in their first lines what they own', () => {
    expect(SOURCES.filter((file) => !/^(\/\/|#!) ?\S/.test(linesOf(file)[0] ?? ''))).toEqual([]);
  });

  it('have names in kebab case', () => {
    expect(
      [...SOURCES, ...TESTS].filter((file) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(basename(file))),
    ).toEqual([]);
  });

  it('are no barrels: only the bundle of workflows has an index', () => {
    expect([...SOURCES, ...TESTS].filter((file) => /^index\.tsx?$/.test(basename(file)))).toEqual([
      'workflows/index.ts',
    ]);
  });

  it('are no drawers for odds and ends', () => {
    const drawer = /(^|\/)(util|utils|common|helper|helpers|misc|lib|types)(\.tsx?$|\/)/;
    expect([...SOURCES, ...TESTS].filter((file) => drawer.test(file))).toEqual([]);
  });
});

describe('functions', () => {
  const functions = SOURCES.filter((file) => !file.startsWith(MIGRATIONS)).flatMap(functionSizes);

  it('are found', () => {
    expect(functions.length).toBeGreaterThan(300);
    expect(functionSizes('core/ids.ts').map(({ name }) => name)).toEqual([
      'core/ids.ts makeId',
      'core/ids.ts isId',
    ]);
    expect(functionSizes('dashboard/src/parts/figures/time.tsx').map(({ name }) => name)).toContain(
      'dashboard/src/parts/figures/time.tsx useNow',
    );
  });

  it('are short: at most 60 lines, half of them at most 20', () => {
    expect(offenders(functions, 60)).toEqual([]);
    expect(median(functions)).toBeLessThanOrEqual(20);
  });
});
