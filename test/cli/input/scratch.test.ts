// The folder for fetched bodies.
import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScratch } from '../../../cli/input/scratch.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }));
afterEach(() => void vi.useRealTimers());

it('is made when it is first asked for, and removed', () => {
  const scratch = createScratch();
  const folder = scratch.folder();
  expect(scratch.folder()).toBe(folder);
  scratch.remove();
  expect(existsSync(folder)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it('regression: never looks old, so the system does not clean it away', () => {
  const scratch = createScratch();
  const folder = scratch.folder();
  const body = join(folder, 'body');
  writeFileSync(body, '');
  for (const path of [body, folder]) utimesSync(path, 0, 0);
  vi.advanceTimersByTime(240 * HOUR_MS);
  for (const path of [body, folder]) {
    const { atimeMs, mtimeMs } = statSync(path);
    expect(Math.min(atimeMs, mtimeMs)).toBeGreaterThan(Date.now() - 2 * HOUR_MS);
  }
  scratch.remove();
});
