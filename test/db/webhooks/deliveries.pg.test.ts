// Deliveries: which webhooks get one, how attempts advance it, when it is overdue, and what deletes it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cancelDeliveries,
  findDelivery,
  findPendingDeliveries,
  leaveToBacklog,
  listBacklog,
  claimFirstAttempts,
} from '../../../db/webhooks/deliveries.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { findLatestDeltaEvent, readDeliveredEvents } from '../../../db/rows/delta-events.ts';
import { type NewAttempt, recordAttempts } from '../../../db/webhooks/record-attempts.ts';
import {
  listOverdueBacklogs,
  listOverdueDeliveries,
  listOverdueRecords,
} from '../../../db/upkeep/overdue.ts';
import { markRecordDeleted, setNextCheck, updateRecord } from '../../../db/records/records.ts';
import { deleteWebhook, listWebhooks, updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { disableWebhook } from '../../support/rows/disable-webhook.ts';
import { commitTable, countLines, makeAccount, makeRecord, makeWebhook, newId, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
let recordId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  recordId = await makeRecord(db, { accountId: await makeAccount(db) });
  await commitTable(db, recordId, table({ a: '1' }));
});
afterAll(() => database.drop());

let version = 1;
/** Commits a change. */
async function change(): Promise<{ checkId: string; deltaEventId: string; pendingDeliveries: number }> {
  version += 1;
  const checkId = newId('check');
  const outcome = await commitTable(db, recordId, table({ a: String(version) }), { checkId });
  if (outcome.outcome !== 'changed') throw new Error(outcome.outcome);
  const event = await findLatestDeltaEvent(db, recordId);
  return { checkId, deltaEventId: event?.id ?? '', ...outcome };
}

/** Commits a change and gives the ids of its deliveries. */
async function changeWithDeliveries(): Promise<string[]> {
  const { checkId } = await change();
  return (await claimFirstAttempts(db, checkId, 0)).map(({ id }) => id);
}

async function oneDelivery(): Promise<string> {
  await makeWebhook(db, recordId);
  const [id] = await changeWithDeliveries();
  if (id === undefined) throw new Error('No delivery');
  return id;
}

function attempt(deliveryId: string, number: number, overrides: Partial<NewAttempt> = {}): NewAttempt {
  return {
    deliveryId,
    webhookId: 'of no webhook',
    number,
    startedAt: new Date('2026-01-02T03:04:05.678Z'),
    durationMs: 12,
    statusCode: 500,
    errorCode: 'http_error',
    responseExcerpt: 'no \\u0000 "really"\n',
    status: 'pending',
    nextAttemptInMs: 5_000,
    reasonToDisable: null,
    url: 'https://example.com/',
    ...overrides,
  };
}

const DELIVERED: Partial<NewAttempt> = {
  status: 'delivered',
  statusCode: 200,
  errorCode: null,
  nextAttemptInMs: null,
};

const stateOf = (id: string) => db('deliveries').where({ id }).first() as Promise<Record<string, unknown>>;
const attemptsOf = (deliveryId: string) => db('attempts').where({ deliveryId }).orderBy('number');

describe('a change', () => {
  it('creates deliveries for the webhooks that are enabled when it is committed', async () => {
    const [first, second] = [await makeWebhook(db, recordId), await makeWebhook(db, recordId)];
    const off = await makeWebhook(db, recordId, false);
    const { checkId, deltaEventId, pendingDeliveries } = await change();
    expect(pendingDeliveries).toBe(2);
    const due = await claimFirstAttempts(db, checkId, 0);
    expect(due.map(({ webhookId }) => webhookId).sort()).toEqual([first, second].sort());
    expect(due[0]).toMatchObject({
      recordId, deltaEventId, status: 'pending', attemptCount: 0, isWebhookEnabled: true,
    }); // prettier-ignore
    expect((await readDeliveredEvents(db, due)).get(deltaEventId)).toMatchObject({
      changedKeys: ['a'],
      totalCount: 1,
    });
    expect(await findPendingDeliveries(db, checkId)).toEqual({ checkId, count: 2 });

    await updateWebhook(db, { recordId }, off, { enabled: true });
    await disableWebhook(db, first, 'The endpoint answered 410 Gone.');
    expect(await changeWithDeliveries()).toHaveLength(2);
  });

  it('creates no delivery for a webhook of another record', async () => {
    await makeWebhook(db, await makeRecord(db));
    expect(await change()).toMatchObject({ pendingDeliveries: 0 });
  });

  it('is required for a delivery', async () => {
    await makeWebhook(db, recordId);
    const checkId = newId('check');
    await commitTable(db, recordId, table({ a: '1' }), { checkId });
    expect(await findPendingDeliveries(db, checkId)).toBeNull();
    expect(await db('deliveries').where({ recordId })).toEqual([]);
  });
});

describe('attempts', () => {
  it('are stored and advance the delivery', async () => {
    const id = await oneDelivery();
    await recordAttempts(db, [attempt(id, 1)]);
    const { nextAttemptAt, ...state } = await stateOf(id);
    expect(state).toMatchObject({ status: 'pending', attemptCount: 1, finishedAt: null });
    expect(nextAttemptAt).toBeInstanceOf(Date);
    await recordAttempts(db, [attempt(id, 2, DELIVERED)]);
    expect(await stateOf(id)).toMatchObject({ status: 'delivered', attemptCount: 2, nextAttemptAt: null });
    expect((await stateOf(id))['finishedAt']).toBeInstanceOf(Date);
    const {
      webhookId: _,
      status: __,
      nextAttemptInMs: ___,
      reasonToDisable: ____,
      url: _____,
      ...logged
    } = attempt(id, 1);
    expect(await attemptsOf(id)).toEqual([
      logged,
      { ...logged, number: 2, statusCode: 200, errorCode: null },
    ]);
  });

  it('count once when they are recorded twice, also concurrently', async () => {
    const id = await oneDelivery();
    await recordAttempts(db, [attempt(id, 1)]);
    const state = await stateOf(id);
    await recordAttempts(db, [attempt(id, 1, DELIVERED)]);
    expect(await stateOf(id)).toEqual(state);
    await Promise.all(Array.from({ length: 5 }, () => recordAttempts(db, [attempt(id, 2)])));
    expect(await stateOf(id)).toMatchObject({ status: 'pending', attemptCount: 2 });
    expect(await attemptsOf(id)).toHaveLength(2);
  });

  it('never reopen a final delivery', async () => {
    for (const status of ['delivered', 'failed', 'cancelled'] as const) {
      const id = await oneDelivery();
      if (status === 'cancelled') await cancelDeliveries(db, [id]);
      else await recordAttempts(db, [attempt(id, 1, { ...DELIVERED, status })]);
      const state = await stateOf(id);
      await recordAttempts(db, [attempt(id, status === 'cancelled' ? 1 : 2)]);
      await cancelDeliveries(db, [id]);
      expect(await stateOf(id)).toMatchObject({ status, nextAttemptAt: state['nextAttemptAt'] });
      await deleteWebhook(db, { recordId }, String(state['webhookId']));
    }
  });

  it('of several deliveries are recorded in one statement, whatever their results', async () => {
    await Promise.all(Array.from({ length: 3 }, () => makeWebhook(db, recordId)));
    const [first = '', second = '', third = ''] = await changeWithDeliveries();
    let statements = 0;
    const count = () => (statements += 1);
    db.on('query', count);
    await recordAttempts(db, [
      attempt(first, 1, DELIVERED),
      attempt(second, 1),
      attempt(third, 1, {
        status: 'failed',
        nextAttemptInMs: null,
        statusCode: null,
        errorCode: 'endpoint_unreachable',
      }),
      attempt(newId('delivery'), 1),
    ]);
    db.off('query', count);
    expect(statements).toBe(1);
    const states = await Promise.all([first, second, third].map(stateOf));
    expect(states.map((state) => state['status'])).toEqual(['delivered', 'pending', 'failed']);
  });

  it('leave the remaining first attempts pending', async () => {
    await Promise.all(Array.from({ length: 3 }, () => makeWebhook(db, recordId)));
    const { checkId } = await change();
    const [first, second] = await claimFirstAttempts(db, checkId, 0);
    await recordAttempts(db, [attempt(first?.id ?? '', 1)]);
    await cancelDeliveries(db, [second?.id ?? '']);
    expect(await claimFirstAttempts(db, checkId, 0)).toHaveLength(1);
    expect(await findPendingDeliveries(db, checkId)).toEqual({ checkId, count: 1 });
  });

  it('that succeed after the delivery was cancelled mark it as delivered', async () => {
    const [failed, delivered] = [await oneDelivery(), await oneDelivery()];
    await cancelDeliveries(db, [failed, delivered]);
    await recordAttempts(db, [attempt(failed, 1), attempt(delivered, 1, DELIVERED)]);
    expect(await stateOf(failed)).toMatchObject({ status: 'cancelled', attemptCount: 1 });
    expect(await stateOf(delivered)).toMatchObject({ status: 'delivered', attemptCount: 1 });
  });
});

describe('a backlog', () => {
  it('contains its deliveries, the oldest first, until their attempts are recorded', async () => {
    await makeWebhook(db, recordId);
    const { checkId } = await change();
    const [due] = await claimFirstAttempts(db, checkId, 0);
    const [later = ''] = await changeWithDeliveries();
    const { id = '', webhookId = '' } = due ?? {};
    await leaveToBacklog(db, [later, id]);
    expect(await claimFirstAttempts(db, checkId, 0)).toEqual([]);
    expect(await findPendingDeliveries(db, checkId)).toBeNull();
    expect((await listBacklog(db, webhookId, 9)).map((one) => one.id)).toEqual([id, later]);
    expect(await listBacklog(db, webhookId, 1)).toHaveLength(1);
    expect((await listBacklog(db, webhookId, 9, [id])).map((one) => one.id)).toEqual([later]);

    expect(await listOverdueDeliveries(db, -60_000, 99)).not.toContain(id);
    expect(await listOverdueBacklogs(db, -60_000, 99)).toContain(webhookId);
    expect(await listOverdueBacklogs(db, 60_000, 99)).not.toContain(webhookId);

    await recordAttempts(db, [attempt(id, 1), attempt(later, 1, DELIVERED)]);
    expect(await listBacklog(db, webhookId, 9)).toEqual([]);
    expect(await listOverdueDeliveries(db, -60_000, 99)).toContain(id);
  });
});

describe('what is overdue', () => {
  it('are pending deliveries that are due for longer than the grace period', async () => {
    await Promise.all(Array.from({ length: 4 }, () => makeWebhook(db, recordId)));
    const ids = await changeWithDeliveries();
    const [late = '', soon = '', done = '', later = ''] = ids;
    await recordAttempts(db, [attempt(soon, 1, { nextAttemptInMs: 60_000 }), attempt(done, 1, DELIVERED)]);
    await db.raw(`update deliveries set next_attempt_at = now() - interval '2 minutes' where id = ?`, [
      later,
    ]);
    await db.raw(`update deliveries set next_attempt_at = now() - interval '3 minutes' where id = ?`, [late]);
    const own = async (graceMs: number, limit = 9) =>
      (await listOverdueDeliveries(db, graceMs, limit)).filter((id) => ids.includes(id));
    expect(await own(60_000)).toEqual([late, later]);
    expect(await own(60_000, 1)).toEqual([late]);
    expect(await own(150_000)).toEqual([late]);
  });

  it('are records whose check is due for longer than the grace period, and deleted records', async () => {
    const [due, paused, deleted, soon] = [
      recordId,
      await makeRecord(db),
      await makeRecord(db),
      await makeRecord(db),
    ];
    for (const id of [due, paused, deleted]) await setNextCheck(db, id, -120_000);
    await updateRecord(db, paused, { status: 'paused' });
    await markRecordDeleted(db, deleted);
    await setNextCheck(db, soon, 60_000);
    const own = async (graceMs: number) =>
      (await listOverdueRecords(db, graceMs, 99)).filter((id) => [due, paused, deleted, soon].includes(id));
    expect(await own(60_000)).toEqual([due]);
    expect(await own(-1_000)).toEqual([due, deleted]);
  });
});

describe('a delivery ends', () => {
  it('with its webhook, and other webhooks keep theirs', async () => {
    const [gone, kept] = [await makeWebhook(db, recordId), await makeWebhook(db, recordId)];
    const ids = await changeWithDeliveries();
    await recordAttempts(db, ids.map((id) => attempt(id, 1))); // prettier-ignore
    const before = await countLines(db);
    expect(await deleteWebhook(db, { recordId: await makeRecord(db) }, gone)).toBe(false);
    expect(await deleteWebhook(db, { recordId }, gone)).toBe(true);
    const after = await countLines(db);
    for (const name of ['webhooks', 'deliveries', 'attempts'] as const) {
      expect([name, after[name]]).toEqual([name, (before[name] ?? 0) - 1]);
    }
    const webhooks = await listWebhooks(db, { recordId }, 'desc', { after: null, limit: 9 });
    expect(webhooks.map(({ id }) => id)).toEqual([kept]);
  });

  it('with its webhook, however many there are', async () => {
    const [gone, kept] = [await makeWebhook(db, recordId), await makeWebhook(db, recordId)];
    for (let made = 0; made < 5; made += 1) await changeWithDeliveries();
    const left = async (webhookId: string) => (await db('deliveries').where({ webhookId })).length;
    expect([await left(gone), await left(kept)]).toEqual([5, 5]);
    expect(await deleteWebhook(db, { recordId }, gone, { step: 2 })).toBe(true);
    expect([await left(gone), await left(kept)]).toEqual([0, 5]);
    expect(await db('webhooks').where({ id: gone })).toEqual([]);
  });

  it('with its record, at once for attempts', async () => {
    const id = await oneDelivery();
    expect(await findDelivery(db, id)).toMatchObject({ id, recordId });
    await markRecordDeleted(db, recordId);
    expect(await findDelivery(db, id)).toBeUndefined();
  });
});

it('webhooks say why they were disabled until they are enabled again, and never their secret', async () => {
  const id = await makeWebhook(db, recordId);
  await disableWebhook(db, id, 'The endpoint answered 410 Gone.');
  const [webhook] = await listWebhooks(db, { recordId }, 'desc', { after: null, limit: 9 });
  expect(webhook).toMatchObject({ enabled: false, disabledReason: 'The endpoint answered 410 Gone.' });
  expect(Object.keys(webhook ?? {})).not.toContain('sealedSecret');
  expect(await updateWebhook(db, { recordId }, id, { enabled: true })).toMatchObject({
    enabled: true,
    disabledReason: null,
  });
  expect(await updateWebhook(db, { recordId: await makeRecord(db) }, id, { enabled: false })).toBeUndefined();
});
