// The state of all records and deliveries, which one process at a time reads for metrics.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FleetWatch, watchFleet } from '../../../db/upkeep/fleet-state.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { createAccount, createTestRecord } from '../../support/rows/factories.ts';
import { until } from '../../support/until.ts';
import { commitTable, table } from '../factories.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const errors: unknown[] = [];
const watch = (): FleetWatch =>
  watchFleet(database.db, { everyMs: 20, onError: (error) => errors.push(error) });

it('counts records by state, and is read by one process until it ends', async () => {
  const { db } = database;
  const accountId = await createAccount(db);
  const ids = await Promise.all(Array.from({ length: 5 }, () => createTestRecord(db, accountId)));
  const [active = '', failing = '', held = '', paused = '', deleted = ''] = ids;
  const soon = new Date(Date.now() + 3_600_000);
  await db('record_heads').whereIn('recordId', [failing, held, paused]).update({ nextCheckAt: soon });
  await db('record_heads')
    .where({ recordId: active })
    .update({ nextCheckAt: new Date(Date.now() - 600_000) });
  await db('record_heads').where({ recordId: failing }).update({ consecutiveFailures: 2 });
  await db('record_heads')
    .where({ recordId: held })
    .update({ heldCheckId: 'chk_1', heldSince: new Date(Date.now() - 60_000) });
  // Is not held any more.
  await db('record_heads')
    .where({ recordId: active })
    .update({ heldSince: new Date(0) });
  await db('records').where({ id: paused }).update({ status: 'paused' });
  await db('records').where({ id: deleted }).update({ deletedAt: new Date() });

  const first = watch();
  const state = await until('the first process has read', () => first.latest());
  expect(state.records).toEqual({ active: 1, failing: 1, held: 1, paused: 1 });
  expect(state.mostOverdueSeconds).toBeGreaterThanOrEqual(600);
  expect(state.mostOverdueSeconds).toBeLessThan(900);
  expect(state.longestHeldSeconds).toBeGreaterThanOrEqual(60);
  expect(state.longestHeldSeconds).toBeLessThan(360);
  expect(state.deliveries).toEqual({ pending: 0, oldestSeconds: 0, mostOverdueSeconds: 0 });

  const second = watch();
  await until('the second one has asked for the lock', async () => {
    const asked = await db('pg_stat_activity').whereLike('query', '%pg_try_advisory_lock%');
    return asked.length > 0;
  });
  expect(second.latest()).toBeUndefined();
  first.close();
  await until('the second one reads', () => second.latest());
  second.close();
  expect(errors).toEqual([]);
});

it('counts the time of a held record from the last rejection', async () => {
  const { db } = database;
  const accountId = await createAccount(db);
  await db('record_heads').update({ heldCheckId: null });
  const recordId = await createTestRecord(db, accountId);
  await commitTable(db, recordId, table({ a: '1' }));
  const heldSince = new Date(Date.now() - 7 * 3_600_000);
  await db('record_heads').where({ recordId }).update({ heldCheckId: 'chk_2', heldSince });
  const longest = async (): Promise<number> => {
    const watching = watch();
    const { longestHeldSeconds } = await until('the state has been read', () => watching.latest());
    watching.close();
    return longestHeldSeconds;
  };
  expect(await longest()).toBeGreaterThanOrEqual(7 * 3_600);
  await db('checks').where({ recordId }).update({ decision: 'rejected', decidedAt: new Date() });
  expect(await longest()).toBeLessThan(300);
});
