// Feeds keep their events for 29 days. What is older is deleted in bounded steps, and the feed knows up to where.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { findFeed, readFeed } from '../../../db/feeds/feed-events.ts';
import { deleteOldFeedEvents } from '../../../db/upkeep/old-feed-events.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitTable, makeAccount, makeRecord, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const age = (accountId: string, upTo: number, days: number) =>
  rawRows(
    db,
    `update feed_events set added_at = added_at - make_interval(days => :days)
     where account_id = :accountId and position <= :upTo`,
    { accountId, upTo, days },
  );

async function eventsOf(accountId: string) {
  const selection = { accountId, reach: null, recordId: null, types: null, labels: [] };
  return (await readFeed(db, selection, null, { limit: 100, maxBytes: 1_000_000 }))?.events;
}

async function withEvents(count: number): Promise<{ accountId: string; recordId: string }> {
  const accountId = await makeAccount(db);
  const recordId = await makeRecord(db, { accountId });
  for (let value = 0; value <= count; value += 1)
    await commitTable(db, recordId, table({ a: String(value) }));
  return { accountId, recordId };
}

it('deletes the oldest first, step by step, and lets the others be', async () => {
  const [one, other] = [await withEvents(5), await withEvents(2)];
  await age(one.accountId, 3, 30);
  await age(one.accountId, 2, 1);
  await age(other.accountId, 2, 28);
  expect(await deleteOldFeedEvents(db, 2)).toBe(2);
  expect(await findFeed(db, one.accountId)).toMatchObject({ position: 5, keptAfter: 2 });
  expect([await deleteOldFeedEvents(db, 2), await deleteOldFeedEvents(db, 2)]).toEqual([1, 0]);
  expect(await findFeed(db, one.accountId)).toMatchObject({ position: 5, keptAfter: 3 });
  expect((await eventsOf(one.accountId))?.map(({ position }) => position)).toEqual([4, 5]);
  expect(await findFeed(db, other.accountId)).toMatchObject({ keptAfter: 0 });
  expect(await eventsOf(other.accountId)).toHaveLength(2);
});

it('keeps an event of which the delta event was deleted earlier, with its counts and without keys', async () => {
  const { accountId, recordId } = await withEvents(1);
  await db('delta_events').where({ recordId }).delete();
  expect(await eventsOf(accountId)).toMatchObject([
    { type: 'delta', data: { changedCount: 1, totalCount: 1 }, newKeys: null, changedKeys: null },
  ]);
});
