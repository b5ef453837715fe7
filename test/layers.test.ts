// Sizes, names and rooms of the source: small files and functions, at most 25 files in a folder, imports that run one way.
// Lint checks which layer may import which, and refuses import cycles (.oxlintrc.json).
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
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

/** Lists of like things, which may be long. */
const LISTS = ['db/migrations', 'test/support'];
const MAX_FILES_IN_FOLDER = 25;

/** Folders whose rooms must not import each other. */
const LAYERS = [
  'activities',
  'api',
  'api/mcp',
  'api/operations',
  'cli',
  'core',
  'core/delta',
  'dashboard/src',
  'dashboard/src/parts',
  'dashboard/src/pages/record',
  'dashboard/src/pages/record/data',
  'dashboard/src/pages/record/webhooks',
  'db',
];

const importsOf = (file: string): string[] =>
  [...readFileSync(new URL(file, ROOT), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(
    ([, path = '']) => normalize(join(dirname(file), path)),
  );

/** The folder of a layer that holds a file; a file at the layer's root is a room of its own. */
function roomOf(layer: string, file: string): string | undefined {
  if (!file.startsWith(`${layer}/`)) return undefined;
  return file.slice(layer.length + 1).split('/')[0];
}

/** Which rooms of a layer each room imports. */
function arrows(layer: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of SOURCES) {
    const from = roomOf(layer, file);
    if (from === undefined) continue;
    for (const path of importsOf(file)) {
      const to = roomOf(layer, path);
      if (to === undefined || to === from) continue;
      found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  }
  return found;
}

/** The first circle that can be walked along the arrows. */
function circle(graph: Map<string, Set<string>>): string[] | undefined {
  const done = new Set<string>();
  function walk(room: string, path: string[]): string[] | undefined {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return undefined;
    for (const next of graph.get(room) ?? []) {
      const found = walk(next, [...path, room]);
      if (found !== undefined) return found;
    }
    done.add(room);
    return undefined;
  }
  for (const room of graph.keys()) {
    const found = walk(room, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('folders', () => {
  it('hold at most 25 files', () => {
    const counts = new Map<string, number>();
    for (const file of SOURCES) {
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    }
    const crowded = [...counts].filter(
      ([folder, count]) => count > MAX_FILES_IN_FOLDER && !LISTS.includes(folder),
    );
    expect(crowded).toEqual([]);
  });

  it('finds a circle where there is one', () => {
    expect(circle(new Map([['a', new Set(['b'])], ['b', new Set(['c'])], ['c', new Set(['b'])]]))).toEqual(['b', 'c', 'b']); // prettier-ignore
    expect(arrows('db').get('commit')).toContain('driver');
  });

  it.each(LAYERS)('of %s import each other one way', (layer) => {
    expect(circle(arrows(layer))).toBeUndefined();
  });
});
