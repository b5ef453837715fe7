// What a restored database says about its backup.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitUnchangedCheck } from '../../../db/commit/checks.ts';
import type { Database } from '../../../db/driver/knex.ts';
import {
  countHeadsWithoutEvent,
  countHeadsWithoutRows,
  countWorkingCredentials,
  findRecoveryPoint,
} from '../../../db/upkeep/backup.ts';
import { countDamagedPages, findDamagedTables } from '../../../db/upkeep/damage.ts';
import { createKey } from '../../support/rows/factories.ts';
import { makeConnectedClient } from '../../support/rows/new-connected-client.ts';
import { newDashboardToken } from '../../support/rows/new-dashboard-token.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { checkFacts, commitTable, makeAccount, makeRecord, newId, rekeyTable, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
});
afterAll(() => database.drop());

const unchanged = (recordId: string) =>
  commitUnchangedCheck(db, checkFacts(recordId), { urlHash: 'hash', etag: null, lastModified: null });

it('names the latest check', async () => {
  expect(await findRecoveryPoint(db)).toEqual({
    lastCheckAt: null,
    records: 0,
    dueRecords: 0,
    pendingDeliveries: 0,
  });
  const recordId = await makeRecord(db);
  await commitTable(db, recordId, table({ a: '1' }));
  const { lastCheckAt, records } = await findRecoveryPoint(db);
  expect(records).toBe(1);
  expect(lastCheckAt).toEqual((await db('record_heads').where({ recordId }).first()).lastCheckedAt);
});

it('finds records whose latest event is missing, whichever form it had', async () => {
  const [changed, same] = [await makeRecord(db), await makeRecord(db)];
  for (const recordId of [changed, same]) await commitTable(db, recordId, table({ a: '1' }));
  await unchanged(same);
  expect(await countHeadsWithoutEvent(db)).toBe(0);
  await db('delta_events').where({ recordId: changed }).delete();
  expect(await countHeadsWithoutEvent(db)).toBe(1);
  const { recordNo } = await db('record_heads').where({ recordId: same }).first();
  expect(await db('unchanged_checks').where({ recordNo }).delete()).toBe(1);
  expect(await countHeadsWithoutEvent(db)).toBe(2);
});

it('regression: finds records whose rows or latest snapshot are missing, but no deleted ones', async () => {
  const [short, unseen, deleted] = [await makeRecord(db), await makeRecord(db), await makeRecord(db)];
  for (const recordId of [short, unseen, deleted]) {
    for (const value of ['1', '2']) await commitTable(db, recordId, table({ a: value, b: '1' }));
  }
  await rekeyTable(db, unseen, table({ c: '1' }));
  expect(await countHeadsWithoutRows(db)).toBe(0);
  const numberOf = db('record_heads').select('recordNo');
  for (const recordId of [short, deleted]) {
    const recordNo = numberOf.clone().where({ recordId });
    await db('row_versions').where({ recordNo, rowKey: 'a', lastSeq: null }).delete();
  }
  expect(await countHeadsWithoutRows(db)).toBe(2);
  await db('records').where({ id: deleted }).update({ deletedAt: db.fn.now() });
  expect(await countHeadsWithoutRows(db)).toBe(1);
  await db('snapshots').where({ recordId: unseen }).delete();
  expect(await countHeadsWithoutRows(db)).toBe(2);
});

it('counts the credentials that work', async () => {
  const none = { keys: 0, logins: 0, clients: 0, sessions: 0 };
  expect(await countWorkingCredentials(db)).toEqual(none);
  const accountId = await makeAccount(db);
  const [record, deleted] = [await makeRecord(db, { accountId }), await makeRecord(db, { accountId })];
  const { id: key } = await createKey(db, accountId, 'full');
  for (const each of [record, deleted]) await createKey(db, accountId, 'read', each);
  await newDashboardToken(db, accountId);
  await makeConnectedClient(db, accountId);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const session = {
    id: newId('session'),
    accountId,
    recordId: record,
    tokenHash: randomBytes(32),
    expiresAt,
  };
  await db('ephemeralSessions').insert(session);
  expect(await countWorkingCredentials(db)).toEqual({ keys: 3, logins: 1, clients: 1, sessions: 1 });

  await db('apiKeys').where({ id: key }).update({ revokedAt: db.fn.now() });
  await db('records').where({ id: deleted }).update({ deletedAt: db.fn.now() });
  await db('loginSessions').update({ expiresAt: db.fn.now() });
  await db('connectedClients').delete();
  await db('ephemeralSessions').update({ endedAt: db.fn.now() });
  expect(await countWorkingCredentials(db)).toEqual({ ...none, keys: 1 });
});

it('reads every table', async () => {
  const { rows } = await db.raw(`select count(*)::int as count from pg_tables where schemaname = 'public'`);
  expect(await findDamagedTables(db)).toEqual({ tables: rows[0].count, damaged: [] });
  expect(await countDamagedPages(db)).toBe(0);
});
