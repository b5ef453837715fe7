// `doctor` on a database that fails in the middle of the checks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { diagnose } from '../../../cli/doctor/doctor.ts';
import { parseConfig } from '../../../core/config.ts';
import { createTestDatabase } from '../../support/servers/database.ts';

it('regression: tells what it found elsewhere', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-doctor-'));
  const { db, url, drop } = await createTestDatabase();
  // As root `doctor` tries no folder.
  const spy = vi.spyOn(process, 'getuid').mockReturnValue(1_000);
  onTestFinished(async () => {
    spy.mockRestore();
    await drop();
    rmSync(folder, { recursive: true });
  });
  await db.schema.renameTable('deliveries', 'lost_deliveries');
  const found = await diagnose(parseConfig({ DATABASE_URL: url, BLOB_STORE: folder }));
  expect(found.map(({ check, level }) => [check, level])).toEqual([
    ['database', 'problem'],
    ['temporal', 'problem'],
    ['blob store', 'ok'],
  ]);
  expect(found[0]?.words).toBe('The checks failed: relation "deliveries" does not exist.');
});
