// What `backup check` says of a restored database.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { examineBackup } from '../../../cli/backup/check.ts';
import { parseConfig } from '../../../core/config.ts';
import { commitRows, createAccount, createTestRecord } from '../../support/rows/factories.ts';
import { createTestDatabase } from '../../support/servers/database.ts';

it('regression: says that credentials which ended after the backup work again', async () => {
  const database = await createTestDatabase();
  try {
    const settings = parseConfig({ KEY_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}` });
    expect(await examineBackup(database.db, settings)).toContainEqual({
      check: 'credentials',
      level: 'ok',
      words:
        '0 API keys, 0 logins, 0 connected clients and 0 anonymous sessions work, also those that were ended after the backup. ' +
        'Accounts and records that were deleted after it are back.',
      nextStep: null,
    });
  } finally {
    await database.drop();
  }
});

it('regression: finds that a restore has no rows', async () => {
  const database = await createTestDatabase();
  try {
    const { db } = database;
    const recordId = await createTestRecord(db, await createAccount(db));
    await commitRows(db, recordId, { 1: '{"id":"1","price":"2"}' });
    const level = async () =>
      (await examineBackup(db, parseConfig({}))).find(({ check }) => check === 'records')?.level;
    expect(await level()).toBe('ok');
    await db.raw('truncate row_versions');
    expect(await level()).toBe('problem');
  } finally {
    await database.drop();
  }
});

it('regression: tells the state of the tables also when a query fails', async () => {
  const database = await createTestDatabase();
  try {
    await database.db.schema.renameTable('api_keys', 'lost_keys');
    const found = await examineBackup(database.db, parseConfig({}));
    expect(found.map(({ check, level }) => [check, level])).toEqual([
      ['tables', 'ok'],
      ['database', 'problem'],
    ]);
    expect(found[1]?.words).toBe('The checks failed: relation "api_keys" does not exist.');
  } finally {
    await database.drop();
  }
});
