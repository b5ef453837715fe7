// The disk space of arriving bodies, in total and by account.
import { mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpoolQuota, SpoolFull } from '../../../activities/fetch/spool-quota.ts';
import { until } from '../../support/until.ts';

const MiB = 1024 * 1024;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordwatch-spool-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('regression: the quota of bodies', () => {
  it('is bounded in total, and one account leaves some to the next', () => {
    const quota = createSpoolQuota(folder, 100);
    const takeAll = (fairnessKey: string): number => {
      const body = quota.open(fairnessKey);
      let mb = 0;
      const grow = (): void => {
        for (mb = 1; ; mb += 1) body.growTo(mb * MiB);
      };
      expect(grow).toThrow(SpoolFull);
      return mb;
    };
    const taken = ['ada', 'bob', 'eve', 'mia'].map(takeAll);
    expect(taken).toEqual([50, 25, 13, 6]);
    expect(taken.reduce((sum, mb) => sum + mb)).toBeLessThanOrEqual(100);
    expect(quota.isFull('ada')).toBe(true);
    expect(quota.isFull('zoe')).toBe(false);
  });

  it('is free again after bodies are removed', () => {
    const quota = createSpoolQuota(folder, 10);
    const bodies = [1, 2, 3, 4].map(() => quota.open('ada'));
    for (const body of bodies) body.growTo(MiB);
    const another = quota.open('ada');
    expect(() => another.growTo(2 * MiB)).toThrow(/10 MiB in total \(SPOOL_MAX_MB\)/);
    another.release();
    for (const body of bodies) body.release();
    expect(() => quota.open('ada').growTo(4 * MiB)).not.toThrow();
  });

  it('is not taken again by a fetch that was given up', () => {
    const quota = createSpoolQuota(folder, 10);
    const body = quota.open('ada');
    body.growTo(MiB);
    body.release();
    expect(() => body.growTo(2 * MiB)).toThrow(SpoolFull);
    expect(quota.usage().used).toBe(0);
    body.release();
    expect(quota.usage().used).toBe(0);
  });

  it('is waited for only while other bodies take it, and not while other files fill the disk', async () => {
    // Has no free block.
    const quota = createSpoolQuota('/proc', 0);
    const body = quota.open('ada');
    await until('the disk was looked at', () => {
      return quota.usage().limit === 0;
    });
    expect(quota.isFull('ada')).toBe(false);
    expect(() => body.growTo(MiB)).toThrow(SpoolFull);
    expect(quota.isFull('ada')).toBe(true);
    body.release();
    expect(quota.isFull('ada')).toBe(false);
  });

  it('follows the free space of the disk unless a setting allows more', async () => {
    const quota = createSpoolQuota(folder, 0);
    const { bavail, bsize } = await statfs(folder);
    const body = quota.open('ada');
    await until('the disk was looked at', () => {
      try {
        body.growTo(bavail * bsize);
        return false;
      } catch (error) {
        return error instanceof SpoolFull;
      }
    });
    body.release();
    expect(() => quota.open('ada').growTo(MiB)).not.toThrow();
  });
});
