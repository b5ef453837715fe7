// A record that moves to another account takes its events along: none is lost, whatever commits meanwhile.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../db/driver/knex.ts';
import { readFeed } from '../../../db/feeds/feed-events.ts';
import { moveFeedEvents } from '../../../db/feeds/move-feed.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';
import { commitTable, makeAccount, makeRecord, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

async function eventsOf(accountId: string) {
  const selection = { accountId, reach: null, recordId: null, types: null, labels: [] };
  const page = await readFeed(db, selection, null, { limit: 100, maxBytes: 1_000_000 });
  return page?.events.map(({ position, recordId }) => [position, recordId]);
}

it('moves them to the end of the new feed, with one that commits during the move', async () => {
  const [from, to] = [await makeAccount(db), await makeAccount(db)];
  const [moved, other] = [await makeRecord(db, { accountId: from }), await makeRecord(db, { accountId: to })];
  for (const value of ['0', '1', '2']) {
    await commitTable(db, moved, table({ a: value }));
    await commitTable(db, other, table({ a: value }));
  }
  const move = await db.transaction();
  await move('records').where({ id: moved }).update({ accountId: to });
  await moveFeedEvents(move, moved, from, to);
  await move('accounts').where({ id: from }).delete();
  // Waits for the old feed, which the move has locked, and finds it gone.
  const late = commitTable(db, moved, table({ a: '3' }), { fitsInMemory: true });
  await until('the commit waits', async () => {
    const waiting = await db('pg_stat_activity')
      .whereRaw(`datname = current_database() and wait_event_type = 'Lock'`)
      .pluck('pid');
    return waiting.length > 0;
  });
  await move.commit();
  await late;
  expect(await eventsOf(from)).toBeUndefined();
  expect(await eventsOf(to)).toEqual([
    [1, other],
    [2, other],
    [3, moved],
    [4, moved],
    [5, moved],
  ]);
});
