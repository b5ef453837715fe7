// What counts as late, for the operator and for metrics.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../db/driver/knex.ts';
import { watchFleet } from '../../../db/upkeep/fleet-state.ts';
import { findLateDeliveries } from '../../../db/upkeep/symptoms.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';
import { commitTable, makeAccount, makeRecord, makeWebhook, table } from '../factories.ts';

const HOUR_SECONDS = 3_600;

let database: TestDatabase;
let db: Database;
/** The deliveries of an ordered webhook, first in line first. */
let first: string;
let second: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

beforeEach(async () => {
  await db('deliveries').delete();
  const recordId = await makeRecord(db, { accountId: await makeAccount(db) });
  await commitTable(db, recordId, table({ a: '0' }));
  await db('webhooks')
    .where({ id: await makeWebhook(db, recordId) })
    .update({ ordered: true, onFailure: 'block' });
  for (const a of ['1', '2']) await commitTable(db, recordId, table({ a }));
  [first = '', second = ''] = await db('deliveries').orderBy('linePosition').pluck('id');
});

const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);

const change = (id: string, to: object): Promise<number> => db('deliveries').where({ id }).update(to);

/** How late the most overdue delivery is by the metrics, in seconds. */
async function lateness(): Promise<number> {
  const watch = watchFleet(db, { everyMs: 20, onError: () => undefined });
  const { deliveries } = await until('the state has been read', () => watch.latest());
  watch.close();
  return deliveries.mostOverdueSeconds;
}

describe('a delivery that has waited in line for an hour', () => {
  beforeEach(() => change(second, { inBacklog: true, nextAttemptAt: inSeconds(-HOUR_SECONDS) }));

  it.each([
    ['waits for its retry', { status: 'pending', inBacklog: false, nextAttemptAt: inSeconds(HOUR_SECONDS) }],
    ['has failed and blocks', { status: 'failed', inBacklog: false, nextAttemptAt: null }],
  ])('is not late while the one before it %s', async (_, state) => {
    await change(first, state);
    expect(await findLateDeliveries(db, 0)).toMatchObject({ count: 0, id: null });
    expect(await lateness()).toBe(0);
  });

  it('is late once it is the first', async () => {
    await change(first, { status: 'delivered', nextAttemptAt: null });
    expect(await findLateDeliveries(db, 0)).toMatchObject({ count: 1, id: second });
    expect(await lateness()).toBeGreaterThanOrEqual(HOUR_SECONDS);
  });
});

it.each([
  ['is sent', 25, 0],
  ['has just been passed the lease', -1, 0],
  ['has had its turn for an hour', -HOUR_SECONDS, 1],
])('a delivery that was long in line and %s: late', async (_, leasedUntil, count) => {
  await change(first, { status: 'delivered', nextAttemptAt: null });
  await change(second, { inBacklog: true, nextAttemptAt: inSeconds(-5 * HOUR_SECONDS) });
  const { webhookId, recordId } = await db('deliveries').where({ id: second }).first();
  const until = inSeconds(leasedUntil);
  await db('deliveryTurns').insert({ webhookId, recordId, deliveryId: second, until });
  expect(await findLateDeliveries(db, 60_000)).toMatchObject({ count });
});

it('a delivery that waits for its retry is late after its time, in line or not', async () => {
  for (const linePosition of [1, null]) {
    await change(first, { linePosition, inBacklog: false, nextAttemptAt: inSeconds(-HOUR_SECONDS) });
    expect(await findLateDeliveries(db, 60_000)).toMatchObject({ id: first });
    expect(await lateness()).toBeGreaterThanOrEqual(HOUR_SECONDS);
  }
});
