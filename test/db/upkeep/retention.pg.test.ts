// Retention deletes in bounded steps. What it keeps reads as before, and other records are not touched.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import { listChecks } from '../../../db/check-log.ts';
import { claimFirstAttempts } from '../../../db/webhooks/deliveries.ts';
import { listDeltaEvents } from '../../../db/rows/delta-events.ts';
import { listDeltaRows } from '../../../db/rows/delta-rows.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { decideHeldCheck } from '../../../db/records/held-checks.ts';
import { markRecordDeleted } from '../../../db/records/records.ts';
import { insertTestDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import {
  eraseSomeOfRecord,
  listPrunable,
  listRecordsOfTier,
  pruneRecords,
} from '../../../db/upkeep/retention.ts';
import { listSnapshotRows, listSnapshots } from '../../../db/rows/snapshots.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { makeHeldCheck } from '../../support/rows/new-held-check.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';
import { until } from '../../support/until.ts';
import {
  checkFacts,
  commitTable,
  countLines,
  getRecord,
  makeAccount,
  makeRecord,
  makeWebhook,
  rekeyTable,
  table,
} from '../factories.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await makeAccount(db);
});
afterAll(() => database.drop());

const ALL = { after: null, limit: 10_000 };
const RETENTION_DAYS = 30;

const unchanged = (recordId: string) =>
  commitUnchangedCheck(db, checkFacts(recordId), {
    urlHash: 'hash',
    etag: null,
    lastModified: null,
  });

/** Moves everything that a record's checks have stored into the past. */
async function age(recordId: string, days: number): Promise<void> {
  const columns = [['checks', 'finished_at'], ['snapshots', 'created_at'], ['delta_events', 'detected_at']] as const; // prettier-ignore
  for (const [name, column] of columns) {
    await db.raw(`update ?? set ?? = ?? - make_interval(days => ?) where record_id = ?`, [
      name,
      column,
      column,
      days,
      recordId,
    ]);
  }
  await db.raw(
    `update unchanged_checks set finished_at = finished_at - make_interval(days => ?)
     where record_no = (select record_no from record_heads where record_id = ?)`,
    [days, recordId],
  );
}

/** @returns how many rows were deleted */
async function pruneWhole(recordIds: readonly string[], limit: number): Promise<number> {
  for (let total = 0; ;) {
    const left = await listPrunable(db, recordIds, RETENTION_DAYS);
    const deleted = await pruneRecords(db, recordIds, RETENTION_DAYS, limit);
    expect(deleted > 0).toBe(left.length > 0);
    // At most `limit` of each of five kinds: events, checks, unchanged checks, row versions, snapshots.
    expect(deleted).toBeLessThanOrEqual(5 * limit * left.length);
    if (deleted === 0) return total;
    total += deleted;
  }
}

/** Everything that readers can see of a record, by request. */
async function readAll(recordId: string): Promise<Map<string, unknown>> {
  const { recordNo } = await getRecord(db, recordId);
  const seen = new Map<string, unknown>();
  for (const event of await eventsOf(recordId)) {
    seen.set(event.id, [event, await listDeltaRows(db, { recordNo, ...event }, ALL)]);
  }
  for (const snapshot of await listSnapshots(db, recordId, 'asc', ALL)) {
    seen.set(snapshot.id, [snapshot, await listSnapshotRows(db, { recordNo, ...snapshot }, ALL)]);
  }
  return seen;
}

const eventsOf = (recordId: string) => listDeltaEvents(db, recordId, { changesOnly: false }, 'asc', ALL);

/** Each step: how many days pass before it, and the row set it commits (null: a check without a new body). */
const histories = fc.array(
  fc.record({
    days: fc.nat(20),
    rows: fc.option(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', ''), fc.constantFrom('1', '2'), { maxKeys: 5 }),
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

async function makeHistory(
  steps: readonly { days: number; rows: Record<string, string> | null }[],
): Promise<string> {
  const recordId = await makeRecord(db, { accountId });
  await commitTable(db, recordId, table({ a: '0' }));
  for (const { days, rows } of steps) {
    await age(recordId, days);
    await (rows === null ? unchanged(recordId) : commitTable(db, recordId, table(rows)));
  }
  return recordId;
}

/** The time from which data is kept. Days are the server's: some have 23 hours. */
async function cutoff(): Promise<Date> {
  const [row] = await rawRows<{ at: Date }>(db, `select now() - ? * interval '1 day' as at`, [
    RETENTION_DAYS,
  ]);
  if (row === undefined) throw new Error('No time');
  return row.at;
}

describe('pruning', () => {
  it('leaves recent and latest rows, which read as before', async () => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(80), fc.integer({ min: 1, max: 7 }), async (steps, days, limit) => {
        const recordId = await makeHistory(steps);
        await age(recordId, days);
        // Pruned together with one that has more, or less, to delete.
        const other = await makeHistory(steps.slice(1));
        const before = await readAll(recordId);
        const eventsBefore = await eventsOf(recordId);
        const checksBefore = await listChecks(db, recordId, 'asc', ALL);
        await pruneWhole([recordId, other], limit);

        for (const [id, content] of await readAll(recordId)) expect(content).toEqual(before.get(id));
        const since = await cutoff();
        const events = await eventsOf(recordId);
        const isLatest = (at: number, all: readonly unknown[]) => at === all.length - 1;
        expect(events).toEqual(
          eventsBefore.filter(({ detectedAt }, at, all) => detectedAt >= since || isLatest(at, all)),
        );
        expect(await listChecks(db, recordId, 'asc', ALL)).toEqual(
          checksBefore.filter(({ finishedAt }, at, all) => finishedAt >= since || isLatest(at, all)),
        );
        const snapshots = await listSnapshots(db, recordId, 'asc', ALL);
        // The oldest snapshot kept is the one with which the oldest event compares.
        const [oldest] = events;
        const firstSequence = (oldest?.sequence ?? 0) - (oldest?.isNoChange === true ? 0 : 1);
        expect(snapshots.map(({ sequence }) => sequence)).toEqual(
          snapshots.map((_, at) => firstSequence + at),
        );
        expect(snapshots.at(-1)?.sequence).toBe(events.at(-1)?.sequence);
        const { recordNo } = await getRecord(db, recordId);
        const useless = await rawRows(db, 'select from row_versions where record_no = ? and last_seq < ?', [
          recordNo,
          firstSequence,
        ]);
        expect(useless).toEqual([]);
      }),
      propertyRuns(25),
    );
  });

  it('leaves each snapshot that can be read all its rows, after every step (regression)', async () => {
    const recordId = await makeRecord(db, { accountId });
    const version = (value: number) => table({ a: `${value}`, b: `${value}`, c: '1' });
    for (const value of [1, 2, 3, 4]) await commitTable(db, recordId, version(value));
    await rekeyTable(db, recordId, version(5), { startsOver: true });
    for (const value of [6, 7]) await commitTable(db, recordId, version(value));
    await age(recordId, 400);
    const { recordNo } = await getRecord(db, recordId);
    for (let deleted = 1; deleted > 0;) {
      deleted = await pruneRecords(db, [recordId], RETENTION_DAYS, 2);
      for (const snapshot of await listSnapshots(db, recordId, 'asc', ALL)) {
        expect(await listSnapshotRows(db, { recordNo, ...snapshot }, ALL)).toHaveLength(3);
      }
    }
    expect((await listSnapshots(db, recordId, 'asc', ALL)).length).toBeLessThan(4);
  });

  it('keeps the rows of the latest event, however old it is (regression)', async () => {
    const recordId = await makeRecord(db, { accountId });
    await commitTable(db, recordId, table({ a: '1', b: '1' }));
    await commitTable(db, recordId, table({ a: '2' }));
    await age(recordId, 400);
    const { recordNo } = await getRecord(db, recordId);
    await pruneWhole([recordId], 100);
    const [event, ...others] = await eventsOf(recordId);
    if (event === undefined) throw new Error('No event is left');
    expect(others).toEqual([]);
    expect(await listDeltaRows(db, { recordNo, ...event }, ALL)).toMatchObject([
      { key: 'a', changeType: 'changed', before: '{"id":"a","value":"1"}' },
      { key: 'b', changeType: 'deleted' },
    ]);
  });

  it('deletes deliveries and attempts with their event, pending ones too (regression)', async () => {
    const recordId = await makeRecord(db, { accountId });
    await makeWebhook(db, recordId);
    await commitTable(db, recordId, table({ a: '1' }));
    await commitTable(db, recordId, table({ a: '2' }));
    await age(recordId, 400);
    await commitTable(db, recordId, table({ a: '3' }));
    expect(await db('deliveries').where({ recordId })).toHaveLength(2);
    await pruneWhole([recordId], 100);
    const [event, ...others] = await eventsOf(recordId);
    expect(others).toEqual([]);
    const left = await db('deliveries')
      .where({ recordId })
      .select<{ checkId: string; deltaEventId: string }[]>('*');
    expect(left.map(({ deltaEventId }) => deltaEventId)).toEqual([event?.id]);
    expect(await claimFirstAttempts(db, left[0]?.checkId ?? '', 0)).toHaveLength(1);
  });

  it('keeps the deliveries of the latest event, however many checks have failed since (regression)', async () => {
    const recordId = await makeRecord(db, { accountId });
    await makeWebhook(db, recordId);
    for (const value of ['1', '2']) await commitTable(db, recordId, table({ a: value }));
    const problem = { code: 'http_error', detail: 'It is down.' } as const;
    for (let made = 0; made < 3; made += 1) {
      await commitProblemCheck(db, 'failed', checkFacts(recordId), problem);
    }
    await age(recordId, 400);
    await pruneWhole([recordId], 100);
    const [event] = await eventsOf(recordId);
    expect(await db('deliveries').where({ recordId })).toMatchObject([{ deltaEventId: event?.id }]);
    expect(await db('checks').where({ recordId })).toHaveLength(2);
  });

  it('regression: keeps the check that is held, which can be decided as long as the origin fails after it', async () => {
    const recordId = await makeRecord(db, { accountId });
    await commitTable(db, recordId, table({ a: '1' }));
    const replaced = await makeHeldCheck(db, recordId);
    const checkId = await makeHeldCheck(db, recordId);
    const problem = { code: 'http_error', detail: 'It is down.' } as const;
    await commitProblemCheck(db, 'failed', checkFacts(recordId), problem);
    await age(recordId, 400);
    await pruneWhole([recordId], 1);
    const left: unknown[] = await db('checks').where({ recordId }).pluck('id');
    expect(left).toContain(checkId);
    expect(left).not.toContain(replaced);
    expect(await decideHeldCheck(db, { recordId, checkId, decision: 'rejected' })).toBe(true);
    await pruneWhole([recordId], 1);
    expect(await db('checks').where({ recordId }).pluck('id')).not.toContain(checkId);
  });

  it('deletes tests of a webhook of the same age, and no others', async () => {
    const id = await makeRecord(db, { accountId });
    const webhook = await makeWebhook(db, id);
    await insertTestDelivery(db, { webhookId: webhook, recordId: id }, 'delta', { isTest: true });
    const old = newTestId('delivery', Date.now() - (RETENTION_DAYS + 1) * 86_400_000);
    await db('deliveries').where({ webhookId: webhook }).update({ id: old });
    const young = await insertTestDelivery(db, { webhookId: webhook, recordId: id }, 'delta', {
      isTest: true,
    });
    expect(await pruneWhole([id], 1)).toBe(1);
    expect(await db('deliveries').where({ webhookId: webhook }).pluck('id')).toEqual([young]);
  });

  it('touches no other record', async () => {
    const [pruned, other] = [await makeHistory([{ days: 0, rows: { a: '2' } }]), await makeHistory([])];
    for (const recordId of [pruned, other]) {
      await age(recordId, 400);
      await unchanged(recordId);
    }
    const before = await readAll(other);
    expect(await pruneWhole([pruned], 100)).toBeGreaterThan(0);
    expect(await readAll(other)).toEqual(before);
  });

  it('reads the records of a tier page by page', async () => {
    const own = [];
    for (let at = 0; at < 5; at += 1) own.push(await makeRecord(db, { accountId, tier: 'free' }));
    const [first = '', second, third, ...rest] = own.sort();
    await markRecordDeleted(db, second ?? '');
    expect(await listRecordsOfTier(db, 'free', '', 2)).toEqual([first, third]);
    expect(await listRecordsOfTier(db, 'free', third ?? '', 99)).toEqual(rest);
  });
});

describe('erasing', () => {
  async function makeFullRecord(): Promise<string> {
    const recordId = await makeRecord(db, { accountId });
    await makeWebhook(db, recordId);
    for (const value of ['1', '2', '3']) {
      await commitTable(db, recordId, table({ a: value, b: value, c: value }));
      await unchanged(recordId);
    }
    await db.raw(
      `insert into attempts (delivery_id, number, started_at, duration_ms)
       select id, 1, now(), 5 from deliveries where record_id = ?`,
      [recordId],
    );
    await db.raw(
      `insert into api_keys (id, account_id, record_id, kind, scope, name, hash, prefix, last4)
       values ('key_' || ?, ?, ?, 'record', 'read', 'A key', sha256(?::text::bytea), 'cat_src_', 'abcd')`,
      [recordId, accountId, recordId, recordId],
    );
    return recordId;
  }

  it('deletes all rows of the record step by step, and none of others', async () => {
    const before = await countLines(db);
    const recordId = await makeFullRecord();
    const other = await makeFullRecord();
    const withOther = await countLines(db);
    const seen = await readAll(other);
    await markRecordDeleted(db, recordId);
    let steps = 1;
    while (!(await eraseSomeOfRecord(db, recordId, 2))) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(5);
    const after = await countLines(db);
    for (const [name, count] of Object.entries(before)) {
      // Both records had the same lines, so half of the lines are left.
      expect([name, after[name]]).toEqual([name, count + ((withOther[name] ?? 0) - count) / 2]);
    }
    expect(await readAll(other)).toEqual(seen);
    expect(await eraseSomeOfRecord(db, recordId, 2)).toBe(true);
  });

  it('does not touch a record that is not deleted', async () => {
    const recordId = await makeFullRecord();
    const before = await countLines(db);
    expect(await eraseSomeOfRecord(db, recordId, 100)).toBe(true);
    expect(await countLines(db)).toEqual(before);
  });

  async function eraseWhole(recordId: string): Promise<void> {
    while (!(await eraseSomeOfRecord(db, recordId, 1_000)));
  }

  async function isWaitingForLock(): Promise<boolean> {
    const waiting = await db('pg_stat_activity').where({
      datname: db.raw('current_database()'),
      waitEventType: 'Lock',
    });
    return waiting.length > 0;
  }

  it('waits for a check that is being committed, and deletes its rows too (regression)', async () => {
    const recordId = await makeFullRecord();
    const { recordNo } = await getRecord(db, recordId);
    await markRecordDeleted(db, recordId);
    let erasing: Promise<void> | undefined;
    await db.transaction(async (commit) => {
      await commit('record_heads').where({ recordId }).forUpdate();
      erasing = eraseWhole(recordId);
      await until('erasing waits for the commit', isWaitingForLock);
      await commit('row_versions').insert({
        recordNo,
        generation: 1,
        rowKey: 'z',
        firstSeq: 9,
        rowHash: '',
        data: '{}',
      });
    });
    await erasing;
    expect(await db('row_versions').where({ recordNo })).toEqual([]);
    expect(await db('records').where({ id: recordId })).toEqual([]);
  });
});
