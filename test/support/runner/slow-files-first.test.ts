import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SLOW_FILES } from './slow-files-first.ts';

it('names files that exist, each once', () => {
  expect(SLOW_FILES.filter((path) => !existsSync(new URL(`../../../${path}`, import.meta.url)))).toEqual([]);
  expect(new Set(SLOW_FILES).size).toBe(SLOW_FILES.length);
});
