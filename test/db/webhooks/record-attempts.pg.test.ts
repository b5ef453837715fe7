// Disables webhooks whose endpoints are gone, ends their deliveries, and tells the record's other webhooks.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimFirstAttempts } from '../../../db/webhooks/deliveries.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { type NewAttempt, recordAttempts } from '../../../db/webhooks/record-attempts.ts';
import { updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';
import { commitTable, makeRecord, makeWebhook, newId, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
let recordId: string;
let webhookId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  recordId = await makeRecord(db);
  webhookId = await makeWebhook(db, recordId);
  await change();
});
afterAll(() => database.drop());

let version = 0;
/** Commits a change. @returns the ids of its deliveries, by webhook */
async function change(): Promise<Record<string, string>> {
  version += 1;
  const checkId = newId('check');
  await commitTable(db, recordId, table({ a: String(version) }), { checkId });
  const due = await claimFirstAttempts(db, checkId, 0);
  return Object.fromEntries(due.map((delivery) => [delivery.webhookId, delivery.id]));
}

const HOUR_MS = 3_600_000;

/** @param hoursAgo when the attempt was made */
function attempt(deliveryId: string, hoursAgo: number, overrides: Partial<NewAttempt> = {}): NewAttempt {
  return {
    deliveryId,
    webhookId,
    number: 1,
    startedAt: new Date(Date.now() - hoursAgo * HOUR_MS),
    durationMs: 12,
    statusCode: 503,
    errorCode: 'http_error',
    responseExcerpt: null,
    status: 'pending',
    nextAttemptInMs: 60_000,
    url: 'https://example.com/hook',
    reasonToDisable: null,
    ...overrides,
  };
}
const SUCCESS = { statusCode: 204, errorCode: null, status: 'delivered', nextAttemptInMs: null } as const;
const GONE = {
  status: 'failed',
  statusCode: 410,
  nextAttemptInMs: null,
  reasonToDisable: 'The endpoint answered 410 Gone.',
} as const;

const webhookNow = (id = webhookId) =>
  db('webhooks').where({ id }).first() as Promise<Record<string, unknown>>;
const statusOf = async (id: string) =>
  (await db('deliveries').where({ id }).first<{ status: string }>('status')).status;

/** One attempt on a change of its own. */
async function attemptOnChange(hoursAgo: number, overrides: Partial<NewAttempt> = {}) {
  const { [webhookId]: id = '' } = await change();
  return { id, ...(await recordAttempts(db, [attempt(id, hoursAgo, overrides)])) };
}

describe('an endpoint that responds with 410', () => {
  it('gets no more deliveries: pending ones are cancelled in the same statement', async () => {
    const { [webhookId]: waiting = '' } = await change();
    const { [webhookId]: inFlight = '' } = await change();
    const { id, disabled, statuses } = await attemptOnChange(0, GONE);
    expect(disabled).toEqual(new Map([[webhookId, 'The endpoint answered 410 Gone.']]));
    expect(statuses).toEqual(new Map([[id, 'failed']]));
    expect(await statusOf(waiting)).toBe('cancelled');
    expect(await webhookNow()).toMatchObject({
      enabled: false,
      disabledReason: 'The endpoint answered 410 Gone.',
    });
    expect((await webhookNow())['disabledAt']).toBeInstanceOf(Date);
    // An attempt that was in flight may finish. If it fails, it is not retried.
    const { statuses: late } = await recordAttempts(db, [attempt(inFlight, 0)]);
    expect(late).toEqual(new Map([[inFlight, 'cancelled']]));
    expect(await change()).toEqual({});
  });

  it('ends the others of its batch that would be retried', async () => {
    const [{ [webhookId]: first = '' }, { [webhookId]: second = '' }] = [await change(), await change()];
    const { statuses } = await recordAttempts(db, [attempt(first, 0, GONE), attempt(second, 0)]);
    expect(statuses).toEqual(new Map([[first, 'failed'], [second, 'cancelled']])); // prettier-ignore
  });

  it('is reported to the record’s other webhooks with this event type', async () => {
    const eventTypes = ['webhook.disabled' as const];
    const told = await makeWebhook(db, recordId);
    await updateWebhook(db, { recordId }, told, { eventTypes });
    const off = await makeWebhook(db, recordId, false);
    await updateWebhook(db, { recordId }, off, { eventTypes });
    await makeWebhook(db, recordId);
    await updateWebhook(db, { recordId }, webhookId, { eventTypes: ['delta', 'webhook.disabled'] });
    const { notices } = await attemptOnChange(0, GONE);
    expect(await db('deliveries').whereIn('id', notices)).toMatchObject([
      {
        webhookId: told,
        eventType: 'webhook.disabled',
        status: 'pending',
        deltaEventId: null,
        eventData: {
          disabledWebhookId: webhookId,
          disabledReason: 'The endpoint answered 410 Gone.',
          disabledAt: expect.stringMatching(/^20.*\.\d{3}Z$/) as string,
        },
      },
    ]);
  });

  it('is disabled once, also when more attempts fail', async () => {
    const { [webhookId]: inFlight = '' } = await change();
    await attemptOnChange(0, GONE);
    const before = await webhookNow();
    const { disabled, notices } = await recordAttempts(db, [
      attempt(inFlight, 0, { ...GONE, reasonToDisable: 'Another.' }),
    ]);
    expect([disabled.size, notices.length]).toEqual([0, 0]);
    expect(await webhookNow()).toMatchObject({
      disabledReason: before['disabledReason'],
      disabledAt: before['disabledAt'],
    });
  });
});

describe('a previous endpoint of a webhook', () => {
  it('does not disable the webhook by 410: its deliveries go to the new endpoint', async () => {
    await updateWebhook(db, { recordId }, webhookId, { url: 'https://example.com/new' });
    const overrides = { ...GONE, status: 'pending', nextAttemptInMs: 60_000 } as const;
    const { id, statuses, disabled } = await attemptOnChange(0, overrides);
    expect([statuses, disabled.size]).toEqual([new Map([[id, 'pending']]), 0]);
    expect(await webhookNow()).toMatchObject({ enabled: true, failingSince: null });
  });
});

describe('consecutive failures', () => {
  it('over five days, with one in these days at least half a day before the last, disable a webhook', async () => {
    await attemptOnChange(121);
    await attemptOnChange(100);
    await attemptOnChange(13);
    expect(await webhookNow()).toMatchObject({ enabled: false });
  });

  it('over less than five days do not', async () => {
    await attemptOnChange(119);
    await attemptOnChange(13);
    await attemptOnChange(0);
    expect(await webhookNow()).toMatchObject({ enabled: true });
  });

  it('with a success between them do not', async () => {
    await attemptOnChange(130);
    await attemptOnChange(50, SUCCESS);
    expect((await webhookNow())['failingSince']).toBeNull();
    await attemptOnChange(13);
    await attemptOnChange(0);
    const { enabled, failingSince } = await webhookNow();
    expect(enabled).toBe(true);
    expect(Number(failingSince)).toBeGreaterThan(Date.now() - 14 * HOUR_MS);
  });

  it('of our own, with an unreadable secret, say nothing about the endpoint', async () => {
    const unsent = { statusCode: null, errorCode: 'secret_unreadable' } as const;
    for (const hoursAgo of [121, 100, 13]) await attemptOnChange(hoursAgo, unsent);
    expect(await webhookNow()).toMatchObject({ enabled: true, failingSince: null });
    // They do not count as the failure half a day before the last, either.
    await attemptOnChange(121);
    await attemptOnChange(0);
    expect(await webhookNow()).toMatchObject({ enabled: true });
    await attemptOnChange(13);
    expect(await webhookNow()).toMatchObject({ enabled: true });
    await attemptOnChange(0);
    expect(await webhookNow()).toMatchObject({ enabled: false });
  });

  it('over five days, without one in these days at least half a day before the last, do not: it may have been down twice', async () => {
    await attemptOnChange(200);
    await attemptOnChange(2);
    await attemptOnChange(0);
    expect(await webhookNow()).toMatchObject({ enabled: true });
    await db.raw(`update attempts set started_at = started_at - interval '12 hours'`);
    await attemptOnChange(0);
    expect(await webhookNow()).toMatchObject({
      enabled: false,
      disabledReason: 'Nothing but failures for five days.',
    });
  });
});

it('batches that fail at the same webhooks at once do not deadlock', async () => {
  const others = await Promise.all(Array.from({ length: 9 }, () => makeWebhook(db, recordId)));
  const batches = await Promise.all(Array.from({ length: 6 }, change));
  const ids = [webhookId, ...others];
  await Promise.all(
    batches.map((batch, index) => {
      const order = index % 2 === 0 ? ids : ids.toReversed();
      return recordAttempts(
        db,
        order.map((id) => attempt(batch[id] ?? '', 1, { webhookId: id })),
      );
    }),
  );
  const failing = await db('webhooks').where({ recordId }).whereNotNull('failingSince');
  expect(failing).toHaveLength(10);
});

describe('attempts concurrent with other work', () => {
  it('are recorded at once while another webhook is being deleted, whose attempts are left out', async () => {
    const staying = await makeWebhook(db, recordId);
    const ids = await change();
    const both = [webhookId, staying].map((id) => attempt(ids[id] ?? '', 0, { ...SUCCESS, webhookId: id }));
    await db.transaction(async (trx) => {
      await trx('webhooks').where({ id: webhookId }).delete();
      const { statuses } = await recordAttempts(db, both);
      expect(statuses).toEqual(new Map([[ids[staying], 'delivered']]));
    });
    expect((await recordAttempts(db, both)).statuses.size).toBe(0);
  });

  it('are recorded at once while a webhook is being changed, which its next attempt takes into account', async () => {
    await db.transaction(async (trx) => {
      await updateWebhook(trx, { recordId }, webhookId, { description: 'Busy.' });
      const { id, statuses } = await attemptOnChange(0);
      expect(statuses).toEqual(new Map([[id, 'pending']]));
    });
    expect((await webhookNow())['failingSince']).toBeNull();
    await attemptOnChange(0);
    expect((await webhookNow())['failingSince']).toBeInstanceOf(Date);
  });

  it.each([
    ['skip', 'block', null],
    ['block', 'skip', expect.any(Number)],
  ] as const)(
    'regression: are recorded while onFailure changes from %s to %s, under the setting before',
    async (before, after, linePosition) => {
      await updateWebhook(db, { recordId }, webhookId, { ordered: true, onFailure: before });
      const failed = { status: 'failed', nextAttemptInMs: null } as const;
      const earlier = await attemptOnChange(0, failed);
      // An earlier version leaves it in its line.
      await db('deliveries').where({ id: earlier.id }).update({ linePosition: 2 });
      const { [webhookId]: id = '' } = await change();
      const { statuses } = await db.transaction(async (trx) => {
        await updateWebhook(trx, { recordId }, webhookId, { onFailure: after });
        return recordAttempts(db, [attempt(id, 0, failed)]);
      });
      expect(statuses).toEqual(new Map([[id, 'failed']]));
      expect(await db('attempts').where({ deliveryId: id })).toHaveLength(1);
      expect(await db('deliveries').where({ id })).toMatchObject([{ linePosition }]);
    },
  );

  const DOINGS: [string, (ids: string[]) => Promise<unknown>][] = [
    ['recording', (ids) => recordAttempts(db, ids.toReversed().map((id) => attempt(id, 0, SUCCESS)))], // prettier-ignore
    ['disabling by 410', (ids) => recordAttempts(db, [attempt(ids.at(-1) ?? '', 0, GONE)])],
    ['disabling by the owner', () => updateWebhook(db, { recordId }, webhookId, { enabled: false })],
  ];
  it.each(DOINGS)('lock deliveries in the order of their ids: %s', async (_what, doIt) => {
    for (let made = 0; made < 3; made += 1) await change();
    const ids: string[] = await db('deliveries').where({ webhookId }).orderBy('id').pluck('id');
    const [first = '', second = ''] = ids;
    // Lies behind the others from now on, in the order in which they are found.
    await db('deliveries').where({ id: first }).update({ createdAt: db.fn.now() });
    const { done } = await db.transaction(async (trx) => {
      await trx('deliveries').where({ id: first }).forUpdate();
      const doing = { done: doIt(ids) };
      await until('it waits for the first', isSomebodyWaiting);
      expect(await trx('deliveries').where({ id: second }).forUpdate().skipLocked()).toHaveLength(1);
      return doing;
    });
    await done;
  });
});

const isSomebodyWaiting = async (): Promise<boolean> => {
  const waiting = await db('pg_stat_activity').where({
    datname: db.raw('current_database()'),
    waitEventType: 'Lock',
  });
  return waiting.length > 0;
};
