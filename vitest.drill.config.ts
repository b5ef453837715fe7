// The drills, which take minutes and are not part of `npm test`.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    include: ['test/**/*.drill.ts'],
    setupFiles: ['test/support/runner/compile-cache.ts'],
    testTimeout: 400_000,
    hookTimeout: 400_000,
  },
});
