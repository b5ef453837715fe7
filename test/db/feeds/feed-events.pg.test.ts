// The feed of an account has every event once, at a position in the order of the commits, whatever commits at the same time.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markAccountDeleted } from '../../../db/accounts/accounts.ts';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import { type Database, type Knex, rawRows } from '../../../db/driver/knex.ts';
import {
  type FeedPage,
  type FeedSelection,
  findFeed,
  latestEvents,
  readFeed,
} from '../../../db/feeds/feed-events.ts';
import { eraseSomeOfRecord } from '../../../db/upkeep/retention.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { checkFacts, commitTable, makeAccount, makeRecord, newId, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const SIZE = { limit: 100, maxBytes: 1_000_000 };

const everything = (accountId: string): FeedSelection => ({
  accountId,
  reach: null,
  recordId: null,
  types: null,
  labels: [],
});

async function read(
  selection: FeedSelection,
  after: number | null = null,
  limit: number = SIZE.limit,
): Promise<FeedPage> {
  const page = await readFeed(db, selection, after, { ...SIZE, limit });
  if (page === undefined) throw new Error('The account has no feed');
  return page;
}

/** A record with its baseline, which is no event of the feed. */
async function newRecord(accountId: string): Promise<string> {
  const id = await makeRecord(db, { accountId });
  await commitTable(db, id, table({ a: '0' }));
  return id;
}

let values = 0;
const nextTable = () => table({ a: String((values += 1)) });

/** Writes a changed check of which the transaction is not committed yet. */
async function beginChange(recordId: string): Promise<Knex.Transaction> {
  const inside = await db.transaction();
  await commitTable(db, recordId, nextTable(), { fitsInMemory: true, inside });
  return inside;
}

const VALIDATORS = { urlHash: 'hash', etag: null, lastModified: null };
const FAULT = { code: 'http_error', detail: 'It was 503.' } as const;
const fail = (recordId: string) => commitProblemCheck(db, 'failed', checkFacts(recordId), FAULT);

const hold = (recordId: string, isHeldAgain: boolean) =>
  commitProblemCheck(
    db,
    'held',
    checkFacts(recordId, { rows: 1 }),
    { code: 'sharp_drop', detail: '1 row after 40.' },
    { sha256: 'hash', facts: {}, changes: null, isHeldAgain },
  );

describe('positions', () => {
  it('are given when transactions commit: a late commit comes after what was read before it', async () => {
    const accountId = await makeAccount(db);
    const [late, early] = [await newRecord(accountId), await newRecord(accountId)];
    const open = await beginChange(late);
    await commitTable(db, early, nextTable());
    const before = await read(everything(accountId));
    expect(before.events.map(({ recordId }) => recordId)).toEqual([early]);
    await open.commit();
    const after = await read(everything(accountId), before.end.position);
    expect(after.events.map(({ recordId, position }) => [recordId, position])).toEqual([[late, 2]]);
    expect(await read(everything(accountId))).toMatchObject({ end: { position: 2 }, hasMore: false });
  });

  it('have no gap after a rollback', async () => {
    const accountId = await makeAccount(db);
    const recordId = await newRecord(accountId);
    await (await beginChange(recordId)).rollback();
    await commitTable(db, recordId, nextTable());
    expect((await read(everything(accountId))).events.map(({ position }) => position)).toEqual([1]);
  });

  it('are those of each account', async () => {
    const [one, other] = [await makeAccount(db), await makeAccount(db)];
    const records = [await newRecord(one), await newRecord(other), await newRecord(other)];
    for (const id of records) await commitTable(db, id, nextTable());
    expect((await read(everything(one))).events.map(({ recordId }) => recordId)).toEqual([records[0]]);
    expect((await read(everything(other))).events.map(({ recordId }) => recordId)).toEqual(records.slice(1));
  });
});

describe('events', () => {
  it('are changes, and checks that failed, recovered or are held: each once', async () => {
    const accountId = await makeAccount(db);
    const recordId = await newRecord(accountId);
    await commitTable(db, recordId, table({ a: 'changed', b: 'new' }));
    await commitTable(db, recordId, table({ a: 'changed', b: 'new' }));
    await commitUnchangedCheck(db, checkFacts(recordId), VALIDATORS);
    await fail(recordId);
    await fail(recordId);
    await commitUnchangedCheck(db, checkFacts(recordId), VALIDATORS);
    await hold(recordId, false);
    await hold(recordId, true);
    await fail(recordId);
    await commitTable(db, recordId, table({ b: 'new' }));
    const { events } = await read(everything(accountId));
    expect(events.map(({ type }) => type)).toEqual([
      'delta',
      'check.failed',
      'check.recovered',
      'check.held',
      'check.failed',
      'delta',
      'check.recovered',
    ]);
    expect(events[0]).toMatchObject({
      data: { newCount: 1, changedCount: 1, deletedCount: 0, unchangedCount: 0, totalCount: 2 },
      newKeys: ['b'],
      changedKeys: ['a'],
      deletedKeys: [],
    });
    const checks = await db('checks').where({ recordId }).orderBy('number').select('id', 'outcome');
    const idOf = (outcome: string, index: number) =>
      checks.filter((check) => check.outcome === outcome)[index]?.id;
    expect(events.slice(1, 5).map(({ data }) => data)).toEqual([
      { checkId: idOf('failed', 0), failingSince: expect.any(String), error: FAULT },
      { checkId: expect.stringMatching(/^chk_/), failingSince: expect.any(String) },
      { checkId: idOf('held', 0), error: { code: 'sharp_drop', detail: '1 row after 40.' } },
      { checkId: idOf('failed', 2), failingSince: expect.any(String), error: FAULT },
    ]);
  });

  it('are selected by record, type and label, and a page continues after what it did not select', async () => {
    const accountId = await makeAccount(db);
    const [red, blue] = [await newRecord(accountId), await newRecord(accountId)];
    await db('records')
      .where({ id: red })
      .update({ labels: { colour: 'red', size: 'l' } });
    await commitTable(db, red, nextTable());
    await fail(blue);
    await commitTable(db, red, nextTable());
    await fail(red);
    await commitTable(db, blue, nextTable());
    const all = everything(accountId);
    const seen = async (selection: Partial<FeedSelection>) => {
      const { events, end, hasMore } = await read({ ...all, ...selection });
      expect([end.position, hasMore]).toEqual([6, false]);
      return events.map((event) => event.position);
    };
    expect(await seen({})).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await seen({ recordId: red })).toEqual([1, 3, 4]);
    expect(await seen({ reach: blue })).toEqual([2, 5, 6]);
    expect(await seen({ reach: blue, recordId: red })).toEqual([]);
    expect(await seen({ types: ['check.failed', 'check.recovered'] })).toEqual([2, 4, 6]);
    const label = (name: string, value: string) => ({ labels: [{ name, value }] });
    expect(await seen(label('colour', 'red'))).toEqual([1, 3, 4]);
    expect(await seen(label('colour', 'blue'))).toEqual([]);
    expect(await seen({ labels: [{ name: 'colour', value: 'red' }, { name: 'size', value: 's' }] })).toEqual([]); // prettier-ignore
    const cut = await read({ ...all, recordId: red }, null, 2);
    expect([cut.events.length, cut.end.position, cut.hasMore]).toEqual([2, 3, true]);
  });

  it('end a page that has enough bytes, and never leave it empty', async () => {
    const accountId = await makeAccount(db);
    const recordId = await newRecord(accountId);
    for (let round = 0; round < 3; round += 1) await commitTable(db, recordId, nextTable());
    const page = await readFeed(db, everything(accountId), null, { limit: 100, maxBytes: 1 });
    expect([page?.events.length, page?.end.position, page?.hasMore]).toEqual([1, 1, true]);
  });

  it('are erased with their record, and the feed with its account', async () => {
    const accountId = await makeAccount(db);
    const recordId = await newRecord(accountId);
    for (let round = 0; round < 3; round += 1) await commitTable(db, recordId, nextTable());
    await markAccountDeleted(db, accountId, 10);
    expect((await read(everything(accountId))).events).toEqual([]);
    while (!(await eraseSomeOfRecord(db, recordId, 1))) continue;
    expect(await db('feed_events').where({ accountId })).toEqual([]);
    await db('accounts').where({ id: accountId }).delete();
    expect(await findFeed(db, accountId)).toBeUndefined();
  });

  it('of an account that was deleted before they commit are left out', async () => {
    const accountId = await makeAccount(db);
    const recordId = await newRecord(accountId);
    const open = await beginChange(recordId);
    await db('feeds').where({ accountId }).delete();
    await open.commit();
    expect(await db('feed_events').where({ accountId })).toEqual([]);
  });
});

/** One step: a change of a record that begins, ends with a commit or a rollback, or a read of the next page. */
const step = (records: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('begin' as const), record: fc.nat(records - 1) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('end' as const),
        records: fc.uniqueArray(fc.nat(records - 1), { minLength: 1 }),
        isKept: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 3 }) }),
    },
  );

describe('a reader that continues after the last position', PROPERTY_TIMEOUT, () => {
  it('sees every event once, and those of a record in their order, in whatever order transactions commit', async () => {
    // With fewer open transactions than the pool has connections.
    const RECORDS = 4;
    await fc.assert(
      fc.asyncProperty(fc.array(step(RECORDS), { minLength: 10, maxLength: 30 }), async (steps) => {
        const accountId = await makeAccount(db);
        const records: string[] = [];
        for (let index = 0; index < RECORDS; index += 1) records.push(await newRecord(accountId));
        const open = new Map<number, Knex.Transaction>();
        const seen: { position: number; deltaEventId: string | null }[] = [];
        let position: number | null = null;
        const readOn = async (limit: number): Promise<boolean> => {
          const page = await read(everything(accountId), position, limit);
          seen.push(...page.events);
          position = page.end.position;
          return page.hasMore;
        };
        for (const each of steps) {
          if (each.kind === 'read') await readOn(each.limit);
          else if (each.kind === 'begin') {
            if (open.has(each.record)) continue;
            open.set(each.record, await beginChange(records[each.record] ?? ''));
          } else {
            // At the same time, over as many connections.
            await Promise.all([
              readOn(2),
              ...each.records.map(async (index) => {
                const trx = open.get(index);
                open.delete(index);
                await (each.isKept ? trx?.commit() : trx?.rollback());
              }),
            ]);
          }
        }
        for (const trx of open.values()) await trx.commit();
        while (await readOn(2)) continue;
        const committed = await rawRows<{ id: string; recordId: string }>(
          db,
          `select id, record_id as "recordId" from delta_events
           where record_id = any(?) and not is_no_change order by record_id, number`,
          [records],
        );
        expect(seen.map(({ position }) => position)).toEqual(committed.map((_, index) => index + 1));
        for (const recordId of records) {
          const ofRecord = committed.filter((event) => event.recordId === recordId).map(({ id }) => id);
          expect(seen.map(({ deltaEventId }) => deltaEventId).filter((id) => ofRecord.includes(id ?? ''))).toEqual(ofRecord); // prettier-ignore
        }
      }),
      propertyRuns(40),
    );
  });
});

it('is read by index, however many events other accounts and records have', async () => {
  const accountId = await makeAccount(db);
  const recordId = await newRecord(accountId);
  await rawRows(
    db,
    `insert into feed_events (account_id, position, record_id, type, happened_at, data)
     select :accountId, n, case when n % 100 = 0 then :recordId else :other end, 'delta', now(), '{}'
     from generate_series(1, 30000) n`,
    { accountId, recordId, other: newId('record') },
  );
  await db('feeds').where({ accountId }).update({ position: 30_000 });
  const window = await read(everything(accountId), null, 200);
  // Events of records that are gone count for the window, which ends the page.
  expect([window.events.length, window.end.position, window.hasMore]).toEqual([100, 10_000, true]);
  const ofRecord = await read({ ...everything(accountId), recordId }, 9_000, 200);
  expect([ofRecord.events.length, ofRecord.end.position, ofRecord.hasMore]).toEqual([200, 29_000, true]);
});

it('regression: the newest events of a choice are found behind any number of others', async () => {
  const accountId = await makeAccount(db);
  const [red, busy] = [await newRecord(accountId), await newRecord(accountId)];
  await db('records')
    .where({ id: red })
    .update({ labels: { colour: 'red' } });
  await rawRows(
    db,
    `insert into feed_events (account_id, position, record_id, type, happened_at, data)
     select :accountId, n, case when n in (10, 20, 30) then :red else :busy end,
       case when n in (20, 40) then 'check.failed' else 'delta' end, now(), '{}'
     from generate_series(1, 30000) n`,
    { accountId, red, busy },
  );
  await db('feeds').where({ accountId }).update({ position: 30_000, keptAfter: 5 });
  const newest = async (selection: Partial<FeedSelection>, atMost = 100) =>
    (await latestEvents(db, { ...everything(accountId), ...selection }, { atMost, keys: 1 })).map(
      ({ position }) => position,
    );
  const labels = [{ name: 'colour', value: 'red' }];
  expect(await newest({}, 2)).toEqual([30_000, 29_999]);
  expect(await newest({ labels })).toEqual([30, 20, 10]);
  expect(await newest({ labels }, 2)).toEqual([30, 20]);
  expect(await newest({ labels, types: ['check.failed'] })).toEqual([20]);
  expect(await newest({ types: ['check.failed'] })).toEqual([40, 20]);
  expect(await newest({ labels, recordId: busy })).toEqual([]);
  await db('feeds').where({ accountId }).update({ keptAfter: 15 });
  expect(await newest({ labels })).toEqual([30, 20]);
});
