// Sessions in the database: transactions that end one wait for each other, and erasing leaves nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  endSessionInTime,
  insertSession,
  lockSessionRecord,
  moveRecord,
  type NewSession,
} from '../../../db/access/ephemeral-sessions.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { listOverdueRecords } from '../../../db/upkeep/overdue.ts';
import { lockRecord } from '../../../db/records/lock-record.ts';
import { findRecord, markRecordDeleted, readCheckTimes } from '../../../db/records/records.ts';
import { eraseSomeOfRecord } from '../../../db/upkeep/retention.ts';
import { extraChecksSubject, sessionCallsSubject, takeOne } from '../../../db/usage/usage-counters.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitRows } from '../../support/rows/factories.ts';
import { until } from '../../support/until.ts';
import { countLines, makeAccount } from '../factories.ts';
import { newSession } from '../../support/rows/new-session.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await makeAccount(db);
});
afterAll(() => database.drop());

async function makeSession(options: { lengthSeconds?: number } = {}): Promise<NewSession> {
  const session = newSession(options);
  await db.transaction((trx) => insertSession(trx, session));
  return session;
}

const isWaitingForLock = async (): Promise<boolean> =>
  (await db('pg_stat_activity').where({ datname: db.raw('current_database()'), waitEventType: 'Lock' }))
    .length > 0;

async function endTime(recordId: string): Promise<void> {
  await db('ephemeral_sessions')
    .where({ recordId })
    .update({ expiresAt: db.raw(`now() - interval '1 s'`) });
}

async function eraseWhole(recordId: string): Promise<void> {
  while (!(await eraseSomeOfRecord(db, recordId, 2)));
}

describe('the end of a session', () => {
  it('is by the database’s clock, and happens once', async () => {
    const { record } = await makeSession({ lengthSeconds: 3_600 });
    expect(await endSessionInTime(db, record.id)).toBe(false);
    const { sessionEndsInMs } = await readCheckTimes(db, record.id);
    expect(sessionEndsInMs).toBeGreaterThan(3_500_000);
    expect(sessionEndsInMs).toBeLessThanOrEqual(3_600_000);
    await endTime(record.id);
    expect((await readCheckTimes(db, record.id)).sessionEndsInMs).toBe(0);
    expect(await endSessionInTime(db, record.id)).toBe(true);
    expect(await findRecord(db, record.id)).toBeUndefined();
  });

  it('waits for a keep that has locked the record, and then finds nothing to end', async () => {
    const session = await makeSession();
    const { record } = session;
    let ending: Promise<boolean> | undefined;
    await db.transaction(async (trx) => {
      const locked = await lockSessionRecord(trx, session.tokenHash);
      if (locked === undefined) throw new Error('The session is over already');
      await endTime(record.id);
      ending = endSessionInTime(db, record.id);
      await until('the end waits', isWaitingForLock);
      await moveRecord(trx, locked, { accountId, slug: 'kept', name: 'Kept', sealed: null });
    });
    expect(await ending).toBe(false);
    expect(await findRecord(db, record.id)).toMatchObject({ accountId, tier: 'free', slug: 'kept' });
    await markRecordDeleted(db, record.id);
    await eraseWhole(record.id);
    expect(await db('accounts').where({ id: accountId })).toHaveLength(1);
  });

  it('leaves a later keep nothing to keep', async () => {
    const session = await makeSession();
    let keeping: Promise<unknown> | undefined;
    await db.transaction(async (trx) => {
      await markRecordDeleted(trx, session.record.id);
      keeping = db.transaction((other) => lockSessionRecord(other, session.tokenHash));
      await until('the keep waits', isWaitingForLock);
    });
    expect(await keeping).toBeUndefined();
  });

  it('is found by reconciling when its workflow is lost', async () => {
    const [over, open] = [await makeSession({ lengthSeconds: 0 }), await makeSession()];
    await db('record_heads').update({ nextCheckAt: null });
    const overdue = await listOverdueRecords(db, 0, 99);
    expect(overdue).toContain(over.record.id);
    expect(overdue).not.toContain(open.record.id);
    expect(await listOverdueRecords(db, 60_000, 99)).not.toContain(over.record.id);
    await markRecordDeleted(db, over.record.id);
    const again = await listOverdueRecords(db, -1_000, 99);
    expect(again.filter((id) => id === over.record.id)).toHaveLength(1);
  });
});

describe('a lock for keeping or changing a record', () => {
  it('does not wait for a check that is being committed', async () => {
    const { record } = await makeSession();
    await db.transaction(async (commit) => {
      await commit('record_heads').where({ recordId: record.id }).forUpdate();
      await commit('snapshots').insert({
        id: `snap_${record.id}`,
        recordId: record.id,
        generation: 1,
        sequence: 1,
        createdAt: new Date(),
        totalRows: 0,
        columns: [],
        bytes: 0,
        contentHash: '',
      });
      const locked = await db.transaction(async (trx) => {
        await trx.raw(`set local lock_timeout = '2s'`);
        return lockRecord(trx, record);
      });
      expect(locked).toMatchObject({ id: record.id, accountId: record.accountId });
    });
  });

  it('requires the record’s own account', async () => {
    const { record } = await makeSession();
    const lockAs = (owner: string) =>
      db.transaction((trx) => lockRecord(trx, { ...record, accountId: owner }));
    expect(await lockAs(accountId)).toBeUndefined();
    expect(await lockAs(record.accountId)).toMatchObject({ id: record.id });
  });
});

describe('erasing the record of a session', () => {
  it('leaves no row in any table: account, session, counts, idempotency keys', async () => {
    const before = await countLines(db);
    const { id, record } = await makeSession({ lengthSeconds: 0 });
    await db('source_credentials').insert({ recordId: record.id, origin: 'https://example.com', sealed: '' });
    await commitRows(db, record.id, { a: '{"id":"a"}', b: '{"id":"b"}' });
    await commitRows(db, record.id, { a: '{"id":"a","n":"1"}' });
    await takeOne(db, sessionCallsSubject(id), 'ever', 50);
    await takeOne(db, extraChecksSubject(record.id), 'hour', 50);
    await db('idempotency_keys').insert({ credentialId: id, key: 'k', requestHash: '', claimId: 'c' });
    expect(await endSessionInTime(db, record.id)).toBe(true);
    await eraseWhole(record.id);
    expect(await countLines(db)).toEqual(before);
  });
});
