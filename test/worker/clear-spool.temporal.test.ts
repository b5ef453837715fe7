import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { clearSpool } from '../../worker/clear-spool.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-spool-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('files of a killed worker are removed, and no file that may still be written', async () => {
  const nowMs = Date.now();
  for (const [name, agoMs] of [
    ['left', 2 * 3_600_000],
    ['written', 1_000],
  ] as const) {
    writeFileSync(join(folder, name), 'body');
    utimesSync(join(folder, name), nowMs / 1_000, (nowMs - agoMs) / 1_000);
  }
  await clearSpool(folder, nowMs);
  expect(readdirSync(folder)).toEqual(['written']);
});
