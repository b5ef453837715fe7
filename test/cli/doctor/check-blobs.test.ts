// What `doctor` says of a blob store, and what it leaves there.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkBlobs } from '../../../cli/doctor/check-blobs.ts';
import { parseConfig } from '../../../core/config.ts';

const OTHER_USER = 65_534;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recordwatch-doctor-blobs-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true });
});

const check = (blobStore = '', runUser?: number) =>
  checkBlobs({ ...parseConfig({}), home, blobStore, runUser });

it('says that a body can be stored and removed, and leaves none', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(OTHER_USER);
  expect(await check()).toMatchObject({ check: 'blob store', level: 'ok' });
  expect(readdirSync(home, { recursive: true })).not.toContainEqual(expect.stringMatching(/[0-9a-f]{64}/));
});

it('regression: tries the folder as root where the processes of the run are those of root', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  expect(await check('', OTHER_USER)).toMatchObject({ level: 'warning' });
  expect(await check('', 0)).toMatchObject({ check: 'blob store', level: 'ok' });
});

it('regression: tries nothing as root in any folder, whose workers may be of another user', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  const untried = {
    check: 'blob store',
    level: 'warning',
    nextStep: 'Run doctor as the user of the workers.',
  };
  // It is not there yet, and would be made.
  expect(await check()).toMatchObject(untried);
  expect(existsSync(join(home, 'blobs'))).toBe(false);
  const own = join(home, 'own');
  mkdirSync(own);
  expect(await check(own)).toMatchObject(untried);
  expect(readdirSync(own)).toEqual([]);
});
