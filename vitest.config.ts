// Projects of tests: without servers, with PostgreSQL, with Temporal as well, and with a browser.
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FlakyTestsReporter } from './test/support/runner/flaky-tests.ts';
import { SlowFilesFirst } from './test/support/runner/slow-files-first.ts';
import { SlowestFilesReporter } from './test/support/runner/slowest-files.ts';
import { LIVENESS_MS } from './test/support/until.ts';

/** A first build of the Temporal server is waited for, as in test/support/servers/temporal.ts. */
const TEMPORAL_DEADLINE_MS = 25 * 60_000;

/** Four on two cores: some tests wait while others work. With more, a busy machine leaves a worker no time to take a task. */
const MAX_WORKERS = Math.max(4, availableParallelism());

/** The suffix of a test's name says which servers it needs: PostgreSQL, Temporal as well, or both and a browser. */
const SUFFIXES = { postgres: 'pg', temporal: 'temporal', browser: 'browser' } as const;
const testsWith = (suffix: string): string[] => [`test/**/*.${suffix}.test.ts`];

/** A file that replaces a module needs a process in which no other file has loaded that module. */
const REPLACING = globSync('test/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: [SUFFIXES.temporal, SUFFIXES.browser].flatMap(testsWith),
}).filter((path) => readFileSync(join(import.meta.dirname, path), 'utf8').includes('vi.mock('));

/** Deadlines are for liveness alone: a loaded machine must not reach them. */
const TIMEOUTS = { testTimeout: 400_000, hookTimeout: 400_000 };

const POSTGRES = { globalSetup: ['test/support/runner/global-setup.ts'] };

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: MAX_WORKERS,
    reporters: ['default', new SlowestFilesReporter(), new FlakyTestsReporter()],
    sequence: { sequencer: SlowFilesFirst },
    setupFiles: ['test/support/runner/compile-cache.ts', 'test/support/runner/random-seed.ts'],
    // Compiled code on disk saves each process, and each that a test starts, a second.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/transformed' },
    ...TIMEOUTS,
    // Loading the product takes longer than many files do. Files that share a process load it once.
    isolate: false,
    expect: { poll: { timeout: LIVENESS_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [...Object.values(SUFFIXES).flatMap(testsWith), ...REPLACING],
        },
      },
      {
        extends: true,
        test: {
          ...POSTGRES,
          name: 'postgres',
          include: testsWith(SUFFIXES.postgres),
          exclude: REPLACING,
        },
      },
      {
        extends: true,
        test: { ...POSTGRES, name: 'replacing', include: REPLACING, isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'temporal',
          include: testsWith(SUFFIXES.temporal),
          globalSetup: ['test/support/runner/global-setup.ts', 'test/support/runner/temporal-setup.ts'],
          hookTimeout: TEMPORAL_DEADLINE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: testsWith(SUFFIXES.browser),
          // A press during a render can get lost on a loaded machine. The end of the run lists what passed at the second try only.
          retry: 1,
          globalSetup: [
            'test/support/runner/global-setup.ts',
            'test/support/runner/temporal-setup.ts',
            'test/support/runner/dashboard-setup.ts',
          ],
          hookTimeout: TEMPORAL_DEADLINE_MS,
        },
      },
    ],
  },
});
