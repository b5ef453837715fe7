// Workers count each other: those that join, those that leave, and those that are killed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../db/driver/knex.ts';
import { joinWorkers, type PresentWorkers } from '../../../db/upkeep/present-workers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';

const PACE = { everyMs: 50, goneAfterMs: 1_000 };
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const fail = (error: unknown): never => {
  throw error;
};
const join = (onError = fail): Promise<PresentWorkers> => joinWorkers(database.db, onError, PACE);
const rows = () => database.db('present_workers').pluck('id');

it('a worker knows of the others from its start, and they soon know of it', async () => {
  const first = await join();
  expect(first.count()).toBe(1);
  const second = await join();
  expect(second.count()).toBe(2);
  await until('the first knows of the second', () => first.count() === 2);
  await second.leave();
  await until('the first knows that the second has left', () => first.count() === 1);
  await first.leave();
  expect(await rows()).toEqual([]);
});

it('a killed worker counts no longer after a while', async () => {
  await database
    .db('present_workers')
    .insert({ id: '00000000-0000-4000-8000-000000000000', seenAt: new Date() });
  const left = await join();
  expect(left.count()).toBe(2);
  await until('the killed one is gone', () => left.count() === 1);
  expect(await rows()).toHaveLength(1);
  await left.leave();
});

it('keeps the last count while the database is away, and leaves without a fault', async () => {
  const other = await join();
  const db = openDatabase(database.url, { poolSize: 1 });
  const errors: unknown[] = [];
  const worker = await joinWorkers(db, (error) => errors.push(error), PACE);
  await db.destroy();
  await until('it could not count', () => errors.length > 0);
  expect(worker.count()).toBe(2);
  await worker.leave();
  await other.leave();
});
