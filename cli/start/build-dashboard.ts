// Builds the dashboard when it is missing or its sources have changed. A running API serves the old files until then.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runStep } from '../process/run-step.ts';
import { pathInCheckout } from './run-script.ts';

export interface DashboardBuild {
  /** The checkout. */
  root: string;
  /** Runs a build into an empty folder. @throws Error that says what is wrong */
  build: (outDir: string, signal: AbortSignal) => Promise<void>;
}

/** All that a built file depends on. package-lock.json has the versions of the libraries. */
const SOURCES = [
  'package-lock.json',
  'tsconfig.json',
  'dashboard/package.json',
  'dashboard/index.html',
  'dashboard/*.config.ts',
  'dashboard/tsconfig.json',
  'dashboard/public/**/*',
  'dashboard/src/**/*',
];
const DIST = 'dashboard/dist';
const HASH_FILE = '.source-hash';

const CHECKOUT: DashboardBuild = { root: pathInCheckout('.'), build: runVite };

/**
 * Brings the built files up to date. Compares contents, because a checkout changes the times of files.
 * @returns whether there was something to build
 * @throws Error when the build fails; the files of an earlier build remain
 */
export async function buildDashboard(signal: AbortSignal, dashboard = CHECKOUT): Promise<boolean> {
  const { root, build } = dashboard;
  const dist = join(root, DIST);
  const sources = hashOfSources(root);
  if (existsSync(join(dist, 'index.html')) && readHash(dist) === sources) return false;
  const next = join(root, 'node_modules/.cache', `dashboard-${process.pid}`);
  try {
    mkdirSync(dirname(next), { recursive: true });
    await build(next, signal);
    writeFileSync(join(next, HASH_FILE), sources);
    rmSync(dist, { recursive: true, force: true });
    renameSync(next, dist);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return true;
}

/** Whether there are files to serve, of these sources or of earlier ones. */
export const hasDashboard = ({ root }: Pick<DashboardBuild, 'root'> = CHECKOUT): boolean =>
  existsSync(join(root, DIST, 'index.html'));

function hashOfSources(root: string): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.toSorted()) {
    const content = readFileSync(file);
    hash.update(`${file.slice(root.length)}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function readHash(dist: string): string | undefined {
  const file = join(dist, HASH_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** How to run Vite without npm, which need not be on the path. */
export function viteProgram(): { command: string; args: readonly string[] } {
  const require = createRequire(pathInCheckout('dashboard/package.json'));
  return {
    command: process.execPath,
    args: [join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')],
  };
}

async function runVite(outDir: string, signal: AbortSignal): Promise<void> {
  const vite = viteProgram();
  const args = [...vite.args, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  // With another value the files would hold the slow development form of the libraries.
  const env = { ...process.env, NODE_ENV: 'production' };
  await runStep(vite.command, args, { cwd: pathInCheckout('dashboard'), env, signal });
}
