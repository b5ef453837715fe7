// Four projects of tests: without servers, with PostgreSQL, with Temporal as well, and with a browser.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowFilesFirst } from './test/support/slow-files-first.ts';
import { SlowestFilesReporter } from './test/support/slowest-files.ts';

/** A first build of the Temporal server is waited for, as in test/support/temporal.ts. */
const TEMPORAL_DEADLINE_MS = 25 * 60_000;

/** Three on two cores: tests wait as much as they work. */
const MAX_WORKERS = Math.max(3, availableParallelism());

/** The suffix of a test's name says which servers it needs: PostgreSQL, Temporal as well, or both and a browser. */
const SUFFIXES = { postgres: 'pg', temporal: 'temporal', browser: 'browser' } as const;
const testsWith = (suffix: string): string[] => [`test/**/*.${suffix}.test.ts`];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: MAX_WORKERS,
    reporters: ['default', new SlowestFilesReporter()],
    sequence: { sequencer: SlowFilesFirst },
    setupFiles: ['test/support/compile-cache.ts'],
    // Each file runs in a process of its own. Compiled code on disk saves each of them and its children a second.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/transformed' },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: Object.values(SUFFIXES).flatMap(testsWith),
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: testsWith(SUFFIXES.postgres),
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'temporal',
          include: testsWith(SUFFIXES.temporal),
          globalSetup: ['test/support/global-setup.ts', 'test/support/temporal-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: TEMPORAL_DEADLINE_MS,
          // After the others: while the Temporal server is being built, they run.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: testsWith(SUFFIXES.browser),
          globalSetup: [
            'test/support/global-setup.ts',
            'test/support/temporal-setup.ts',
            'test/support/dashboard-setup.ts',
          ],
          testTimeout: 90_000,
          hookTimeout: TEMPORAL_DEADLINE_MS,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
