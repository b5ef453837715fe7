import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { buildDashboard, hasDashboard } from '../../../cli/start/build-dashboard.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';

let root: string;
let builds: number;
const { signal } = new AbortController();

const put = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const page = (): string => readFileSync(join(root, 'dashboard/dist/index.html'), 'utf8');
const goodBuild = async (outDir: string): Promise<void> => {
  builds += 1;
  mkdirSync(outDir);
  writeFileSync(join(outDir, 'index.html'), `build ${builds}`);
};
const build = (how = goodBuild): Promise<boolean> => buildDashboard(signal, { root, build: how });

beforeEach(() => {
  root = temporaryFolder();
  builds = 0;
  put('package-lock.json', '{}');
  put('dashboard/index.html', '<div id="root"></div>');
  put('dashboard/vite.config.ts', 'export default {};');
  put('dashboard/src/pages/start/start.tsx', 'export const Component = () => null;');
});

test('is built when it is missing, and not again', async () => {
  expect(hasDashboard({ root })).toBe(false);
  expect(await build()).toBe(true);
  expect(hasDashboard({ root })).toBe(true);
  expect(await build()).toBe(false);
  expect(page()).toBe('build 1');
});

test.each([
  ['a page', 'dashboard/src/pages/start/start.tsx'],
  ['a new file', 'dashboard/src/pages/start/new.module.css'],
  ['how it is built', 'dashboard/vite.config.ts'],
  ['the version of a library', 'package-lock.json'],
])('is built again after a change of %s', async (_what, path) => {
  await build();
  put(path, 'something else');
  expect(await build()).toBe(true);
  expect(page()).toBe('build 2');
});

test('is built again when one of its files is missing or replaced', async () => {
  put('dashboard/src/a.ts', 'one');
  put('dashboard/src/b.ts', 'two');
  await build();
  put('dashboard/src/a.ts', 'two');
  put('dashboard/src/b.ts', 'one');
  expect(await build()).toBe(true);
  rmSync(join(root, 'dashboard/src/b.ts'));
  expect(await build()).toBe(true);
});

test('is not built again because of a time, or of a change in the API’s code', async () => {
  await build();
  utimesSync(join(root, 'dashboard/index.html'), new Date(), new Date());
  put('api/main.ts', 'something else');
  expect(await build()).toBe(false);
});

test('keeps the previous build when a build fails, and is tried again', async () => {
  await build();
  put('dashboard/src/pages/start/start.tsx', 'export const Component = (');
  const failing = async (outDir: string): Promise<void> => {
    await goodBuild(outDir);
    throw new Error('Unexpected end of file');
  };
  await expect(build(failing)).rejects.toThrow('Unexpected end of file');
  expect(page()).toBe('build 1');
  expect(readdirSync(join(root, 'node_modules/.cache'))).toEqual([]);
  expect(await build()).toBe(true);
  expect(page()).toBe('build 3');
});

test('ignores a manual build, whose sources are unknown', async () => {
  await build();
  rmSync(join(root, 'dashboard/dist'), { recursive: true });
  put('dashboard/dist/index.html', 'by hand');
  expect(await build()).toBe(true);
  expect(existsSync(join(root, 'dashboard/dist/.source-hash'))).toBe(true);
});
