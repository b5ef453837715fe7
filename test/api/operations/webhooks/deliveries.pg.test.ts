import { beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryStatus } from '../../../../core/deliveries.ts';
import { findLatestDeltaEvent } from '../../../../db/rows/delta-events.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord, newTestId } from '../../../support/rows/factories.ts';

const api = useApi();
const url = 'https://hooks.example.com/in';
let recordId = '';

interface Subject {
  id: string;
  path: string;
}

async function makeWebhook(settings: Record<string, unknown> = {}, of = recordId): Promise<Subject> {
  const { body } = await api.call('POST', `/v1/sources/${of}/webhooks`, { body: { url, ...settings } });
  return { id: body.id, path: `/v1/sources/${of}/webhooks/${body.id}` };
}

/** Changes the record's rows, which creates deliveries for its webhooks. */
async function change(of = recordId, price = String(Math.random())): Promise<string> {
  await commitRows(api.db, of, { a: `{"id":"a","price":"${price}"}` });
  return (await findLatestDeltaEvent(api.db, of))?.id ?? '';
}

const rowsOf = ({ id }: Subject) =>
  api.db('deliveries').where({ webhookId: id }).orderBy('id').select<
    {
      id: string;
      status: DeliveryStatus;
      attemptCount: number;
      attemptsBefore: number;
      inBacklog: boolean;
      deltaEventId: string | null;
      nextAttemptAt: Date | null;
      finishedAt: Date | null;
    }[]
  >('*');

/** The events of its backlog, in the order in which they are due. */
const backlogOf = ({ id }: Subject) =>
  api
    .db('deliveries')
    .where({ webhookId: id, inBacklog: true })
    .orderBy('next_attempt_at')
    .pluck<string[]>('delta_event_id');

/** Records an attempt of all waiting deliveries. */
async function attempt(subject: Subject, status: DeliveryStatus, responseExcerpt = 'Sorry.'): Promise<void> {
  const waiting = (await rowsOf(subject)).filter((row) => row.status === 'pending');
  for (const { id, attemptCount } of waiting) {
    await api.db('attempts').insert({
      deliveryId: id,
      number: attemptCount + 1,
      startedAt: new Date(),
      durationMs: 31,
      statusCode: status === 'delivered' ? 200 : 503,
      errorCode: status === 'delivered' ? null : 'http_error',
      responseExcerpt,
    });
  }
  const finishedAt = status === 'pending' ? null : new Date();
  const nextAttemptAt = status === 'pending' ? new Date(Date.now() + 60_000) : null;
  await api
    .db('deliveries')
    .where({ webhookId: subject.id, status: 'pending' })
    .update({ status, finishedAt, nextAttemptAt, attemptCount: api.db.raw('attempt_count + 1') });
}

beforeAll(async () => {
  recordId = await createTestRecord(api.db, api.accountId);
  await change();
});

describe('deliveries', () => {
  it('are listed with their attempts, and shown with the endpoint’s responses', async () => {
    const webhook = await makeWebhook();
    const deltaEventId = await change();
    await attempt(webhook, 'pending', 'x'.repeat(16_384));
    await attempt(webhook, 'delivered', 'Thank you.');
    const { body } = await api.call('GET', `${webhook.path}/deliveries`);
    const [listed, ...others] = body.deliveries;
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      webhookId: webhook.id,
      sourceId: recordId,
      eventType: 'delta',
      deltaEventId,
      isTest: false,
      status: 'delivered',
      attemptCount: 2,
      nextAttemptAt: null,
      attempts: [
        { number: 1, durationMs: 31, statusCode: 503, errorCode: 'http_error' },
        { number: 2, durationMs: 31, statusCode: 200, errorCode: null },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('Thank you.');
    const one = await api.call('GET', `${webhook.path}/deliveries/${listed.id}`);
    const responses = ['x'.repeat(16_384), 'Thank you.'];
    expect(one.body).toEqual({
      ...listed,
      payload: expect.any(String),
      attempts: listed.attempts.map((each: object, at: number) => ({ ...each, response: responses[at] })),
    });
  });

  it('show the body that an attempt would send now', async () => {
    const of = await createTestRecord(api.db, api.accountId);
    await change(of);
    const webhook = await makeWebhook({}, of);
    const deltaEventId = await change(of);
    const { body: test } = await api.call('POST', `${webhook.path}/test`, {
      body: { eventType: 'check.failed' },
    });
    const [delta] = await rowsOf(webhook);
    const payloadOf = async (id = '') => {
      const { body } = await api.call('GET', `${webhook.path}/deliveries/${id}`);
      return JSON.parse(body.payload) as Record<string, unknown>;
    };
    await api.call('PATCH', `/v1/sources/${of}`, { body: { name: 'Renamed' } });
    expect(await payloadOf(delta?.id)).toMatchObject({
      event: 'delta',
      webhookId: webhook.id,
      sourceName: 'Renamed',
      deltaEventId,
      changedKeys: ['a'],
    });
    expect(await payloadOf(test.id)).toMatchObject({
      event: 'check.failed',
      isTest: true,
      deltaEventId: null,
    });
    // They go together.
    await api.db('delta_events').where({ id: deltaEventId }).delete();
    expect((await api.call('GET', `${webhook.path}/deliveries/${delta?.id}`)).status).toBe(404);
  });

  it('show the last ten attempts in a list, and the last fifty alone', async () => {
    const webhook = await makeWebhook();
    await change();
    for (let count = 0; count < 60; count += 1) await attempt(webhook, 'pending');
    const { body } = await api.call('GET', `${webhook.path}/deliveries`);
    const numbers = (delivery: { attempts: { number: number }[] }) =>
      delivery.attempts.map(({ number }) => number);
    expect(numbers(body.deliveries[0])).toEqual(Array.from({ length: 10 }, (_, at) => 51 + at));
    const one = await api.call('GET', `${webhook.path}/deliveries/${body.deliveries[0].id}`);
    expect(numbers(one.body)).toEqual(Array.from({ length: 50 }, (_, at) => 11 + at));
    expect(one.body.attemptCount).toBe(60);
  });

  it('are listed by status, in pages and in either order', async () => {
    const webhook = await makeWebhook();
    for (let count = 0; count < 3; count += 1) await change();
    await attempt(webhook, 'failed');
    for (let count = 0; count < 2; count += 1) await change();
    const idsOf = async (query: string): Promise<string[]> => {
      const { body } = await api.call('GET', `${webhook.path}/deliveries?${query}`);
      return body.deliveries.map(({ id }: { id: string }) => id);
    };
    const all = (await rowsOf(webhook)).map(({ id }) => id);
    expect(await idsOf('order=asc')).toEqual(all);
    expect(await idsOf('')).toEqual(all.toReversed());
    expect(await idsOf('status=failed')).toEqual(all.slice(0, 3).toReversed());
    expect(await idsOf('status=pending&order=asc')).toEqual(all.slice(3));
    expect(await idsOf('status=cancelled')).toEqual([]);
    const first = await api.call('GET', `${webhook.path}/deliveries?limit=2&status=failed`);
    expect(first.body).toMatchObject({ count: 2, hasMore: true });
    const { nextCursor } = first.body;
    expect(await idsOf(`limit=2&status=failed&cursor=${nextCursor}`)).toEqual(all.slice(0, 1));
    const elsewhere = await api.call('GET', `${webhook.path}/deliveries?cursor=${nextCursor}`);
    expect(elsewhere.body.code).toBe('invalid_cursor');
  });

  it('are listed since a time or an event, exclusive', async () => {
    const webhook = await makeWebhook();
    const events = [await change(), await change(), await change()];
    const eventsSince = async (since: string): Promise<string[]> => {
      const { body } = await api.call('GET', `${webhook.path}/deliveries?order=asc&since=${since}`);
      return body.deliveries.map(({ deltaEventId }: { deltaEventId: string }) => deltaEventId);
    };
    expect(await eventsSince(events[0] ?? '')).toEqual(events.slice(1));
    const { body: second } = await api.call('GET', `/v1/sources/${recordId}/delta/${events[1]}`);
    expect(await eventsSince(second.detectedAt)).toEqual(events.slice(2));
    expect(await eventsSince('2020-01-01')).toEqual(events);
    const never = await api.call('GET', `${webhook.path}/deliveries?since=${newTestId('deltaEvent')}`);
    expect(never.body).toMatchObject({ status: 410, code: 'gone' });
  });

  it('of another webhook or record cannot be accessed', async () => {
    const webhook = await makeWebhook();
    const other = await makeWebhook();
    const otherRecord = await createTestRecord(api.db, api.accountId);
    await change();
    const [delivery] = await rowsOf(webhook);
    const paths = [
      `${other.path}/deliveries/${delivery?.id}`,
      `/v1/sources/${otherRecord}/webhooks/${webhook.id}/deliveries/${delivery?.id}`,
    ];
    for (const path of paths) {
      expect((await api.call('GET', path)).status).toBe(404);
      expect((await api.call('POST', `${path}/redeliver`)).status).toBe(404);
    }
    for (const rest of ['/deliveries', '/test', '/recover', '/rotate-secret']) {
      const path = `/v1/sources/${otherRecord}/webhooks/${webhook.id}${rest}`;
      const body = rest === '/recover' ? { since: '2020-01-01' } : {};
      const call = rest === '/deliveries' ? api.call('GET', path) : api.call('POST', path, { body });
      expect((await call).status).toBe(404);
    }
  });

  it('that are pending are cancelled when their webhook is disabled, and not sent when it is enabled', async () => {
    const webhook = await makeWebhook();
    await change();
    await attempt(webhook, 'delivered');
    await change();
    await api.call('PATCH', webhook.path, { body: { enabled: false } });
    await change();
    expect((await rowsOf(webhook)).map(({ status }) => status)).toEqual(['delivered', 'cancelled']);
    await api.call('PATCH', webhook.path, { body: { enabled: true } });
    expect((await rowsOf(webhook)).map(({ status }) => status)).toEqual(['delivered', 'cancelled']);
  });
});

describe('redelivering', () => {
  it.each(['delivered', 'failed', 'cancelled'] as const)(
    'opens one that was %s, under its id, with a schedule of its own',
    async (status) => {
      const webhook = await makeWebhook();
      await change();
      await attempt(webhook, 'pending');
      await attempt(webhook, status);
      const [before] = await rowsOf(webhook);
      const answer = await api.call('POST', `${webhook.path}/deliveries/${before?.id}/redeliver`);
      expect(answer.status).toBe(202);
      expect(answer.body).toMatchObject({
        id: before?.id,
        status: 'pending',
        attemptCount: 2,
        finishedAt: null,
      });
      const [after] = await rowsOf(webhook);
      expect(after).toMatchObject({ status: 'pending', attemptsBefore: 2, inBacklog: false });
      expect(api.workflows.calls.at(-1)).toEqual({ name: 'attemptNow', id: before?.id });
    },
  );

  it('makes a pending one due at once and keeps its schedule', async () => {
    const webhook = await makeWebhook();
    await change();
    await attempt(webhook, 'pending');
    const [before] = await rowsOf(webhook);
    await api.call('POST', `${webhook.path}/deliveries/${before?.id}/redeliver`);
    const [after] = await rowsOf(webhook);
    expect(after?.attemptsBefore).toBe(0);
    expect(after?.nextAttemptAt?.getTime()).toBeLessThan(before?.nextAttemptAt?.getTime() ?? 0);
  });

  it('is refused while the webhook is disabled', async () => {
    const webhook = await makeWebhook();
    await change();
    await api.call('PATCH', webhook.path, { body: { enabled: false } });
    const [before] = await rowsOf(webhook);
    const answer = await api.call('POST', `${webhook.path}/deliveries/${before?.id}/redeliver`);
    expect(answer.body).toMatchObject({ status: 409, code: 'conflict' });
    expect(await rowsOf(webhook)).toEqual([before]);
  });

  it('tells a waiting caller the result of the attempt', async () => {
    const webhook = await makeWebhook();
    await change();
    await attempt(webhook, 'failed');
    const [before] = await rowsOf(webhook);
    const path = `${webhook.path}/deliveries/${before?.id}/redeliver`;
    const answering = api.call('POST', path, { headers: { prefer: 'wait=20' } });
    await expect.poll(async () => (await rowsOf(webhook))[0]?.status).toBe('pending');
    await attempt(webhook, 'delivered', 'Thank you.');
    const { status, body, headers } = await answering;
    expect(status).toBe(200);
    expect(headers['preference-applied']).toBe('wait=20');
    expect(body).toMatchObject({ status: 'delivered', attemptCount: 2 });
    expect(body.attempts[1].response).toBe('Thank you.');
  });

  it('succeeds when the workflows cannot be told, and reconciling notifies them later', async () => {
    const webhook = await makeWebhook();
    await change();
    await attempt(webhook, 'failed');
    const [before] = await rowsOf(webhook);
    api.workflows.failure = new Error('Temporal is away');
    try {
      const answer = await api.call('POST', `${webhook.path}/deliveries/${before?.id}/redeliver`);
      expect(answer.status).toBe(202);
    } finally {
      api.workflows.failure = null;
    }
    expect(api.logLines.join('')).toContain('could not tell the workflow');
  });
});

describe('testing', () => {
  it.each(['delta', 'check.failed', 'check.held', 'record.quiet', 'webhook.disabled'])(
    'sends an example of %s, once',
    async (eventType) => {
      const webhook = await makeWebhook({ filters: { minChanges: 1_000 } });
      const { status, body } = await api.call('POST', `${webhook.path}/test`, { body: { eventType } });
      expect(status).toBe(202);
      expect(body).toMatchObject({
        isTest: true,
        eventType,
        deltaEventId: null,
        status: 'pending',
        attempts: [],
      });
      expect(api.workflows.calls.at(-1)).toEqual({ name: 'attemptNow', id: body.id });
      const [row] = await rowsOf(webhook);
      expect(row).toMatchObject({ id: body.id, eventData: { isTest: true } });
      // After the end of the schedule, so no second attempt follows.
      expect(row?.attemptsBefore).toBeLessThan(-100);
      expect((await api.call('GET', `${webhook.path}/deliveries`)).body.deliveries).toEqual([body]);
    },
  );

  it('is refused while the webhook is disabled', async () => {
    const webhook = await makeWebhook({ enabled: false });
    expect((await api.call('POST', `${webhook.path}/test`)).body.code).toBe('conflict');
    expect(await rowsOf(webhook)).toEqual([]);
  });
});

describe('recovering', () => {
  const since = '2020-01-01T00:00:00Z';
  const recover = (webhook: Subject, body: Record<string, unknown> = {}) =>
    api.call('POST', `${webhook.path}/recover`, { body: { since, ...body } });

  it('sends failed, cancelled and missed deliveries, oldest first, and counts them first on request', async () => {
    const record = await createTestRecord(api.db, api.accountId);
    await change(record);
    const webhook = await makeWebhook({}, record);
    const failed = await change(record);
    await attempt(webhook, 'failed');
    const delivered = await change(record);
    await attempt(webhook, 'delivered');
    const cancelled = await change(record);
    await api.call('PATCH', webhook.path, { body: { enabled: false } });
    const missed = [await change(record), await change(record)];
    expect((await recover(webhook)).body).toMatchObject({ status: 409, code: 'conflict' });
    await api.call('PATCH', webhook.path, { body: { enabled: true } });
    const lastFailed = await change(record);
    await attempt(webhook, 'failed');
    const waiting = await change(record);
    const before = await rowsOf(webhook);
    const dry = await recover(webhook, { dryRun: true });
    expect([dry.status, dry.body]).toEqual([
      200,
      { webhookId: webhook.id, dryRun: true, count: 5, hasMore: false },
    ]);
    expect(await rowsOf(webhook)).toEqual(before);
    const answer = await recover(webhook);
    expect([answer.status, answer.body]).toEqual([
      202,
      { webhookId: webhook.id, dryRun: false, count: 5, hasMore: false },
    ]);
    expect(api.workflows.calls.at(-1)).toEqual({ name: 'sendBacklog', id: webhook.id });
    const after = await rowsOf(webhook);
    const backlog = after.filter(({ inBacklog }) => inBacklog);
    expect(await backlogOf(webhook)).toEqual([failed, cancelled, ...missed, lastFailed]);
    expect(backlog.filter(({ attemptsBefore }) => attemptsBefore === 1)).toHaveLength(2);
    expect(backlog.every(({ status, finishedAt }) => status === 'pending' && finishedAt === null)).toBe(true);
    expect(after.filter(({ inBacklog }) => !inBacklog).map(({ deltaEventId }) => deltaEventId)).toEqual([
      delivered,
      waiting,
    ]);
    const calls = api.workflows.calls.length;
    expect((await recover(webhook)).body.count).toBe(0);
    expect(api.workflows.calls).toHaveLength(calls);
  });

  it('begins after a time or an event', async () => {
    const record = await createTestRecord(api.db, api.accountId);
    await change(record);
    const webhook = await makeWebhook({}, record);
    const [first] = [await change(record), await change(record)];
    await attempt(webhook, 'failed');
    await api.call('PATCH', webhook.path, { body: { enabled: false } });
    const third = await change(record);
    await change(record);
    await api.call('PATCH', webhook.path, { body: { enabled: true } });
    const count = async (given: string) =>
      (await recover(webhook, { since: given, dryRun: true })).body.count;
    expect(await count(since)).toBe(4);
    expect(await count(first)).toBe(3);
    expect(await count(third)).toBe(1);
    const { body } = await api.call('GET', `/v1/sources/${record}/delta/${first}`);
    expect(await count(body.detectedAt)).toBe(3);
    expect((await recover(webhook, { since: newTestId('deltaEvent') })).body).toMatchObject({ code: 'gone' });
    for (const given of ['yesterday', '']) {
      const refused = await recover(webhook, { since: given });
      expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/since' }] });
    }
  });

  it('leaves out events that the webhook’s settings exclude, and tests', async () => {
    const record = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, record, { a: '{"id":"a","price":"1","stock":"1"}' }, ['id', 'price', 'stock']);
    const before = await makeWebhook({}, record);
    await commitRows(api.db, record, { a: '{"id":"a","price":"1","stock":"2"}' }, ['id', 'price', 'stock']);
    const filters = { changeTypes: ['changed'], columns: ['price'] };
    const webhook = await makeWebhook({ filters }, record);
    const news = await makeWebhook({ eventTypes: ['check.failed'] }, record);
    await api.call('POST', `${webhook.path}/test`);
    await attempt(webhook, 'failed');
    await attempt(before, 'failed');
    for (const { path } of [webhook, news]) await api.call('PATCH', path, { body: { enabled: false } });
    const changes = [
      '{"id":"a","price":"1","stock":"3"}',
      '{"id":"a","price":"2","stock":"3"}',
      '{"id":"a","price":"2","stock":"4"}',
    ];
    for (const a of changes) await commitRows(api.db, record, { a }, ['id', 'price', 'stock']);
    for (const { path } of [webhook, news]) await api.call('PATCH', path, { body: { enabled: true } });
    expect((await recover(webhook, { dryRun: true })).body.count).toBe(1);
    expect((await recover(news, { dryRun: true })).body.count).toBe(0);
    await api.call('PATCH', webhook.path, { body: { filters: null } });
    expect((await recover(webhook, { dryRun: true })).body.count).toBe(3);
    expect((await recover(before, { dryRun: true })).body.count).toBe(1);
  });

  it('takes no delivery twice for two simultaneous requests', async () => {
    const record = await createTestRecord(api.db, api.accountId);
    await change(record);
    const webhook = await makeWebhook({}, record);
    for (let count = 0; count < 5; count += 1) await change(record);
    await attempt(webhook, 'failed');
    const answers = await Promise.all([recover(webhook), recover(webhook), recover(webhook)]);
    const counts: number[] = answers.map(({ body }) => body.count);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 5]);
  });
});
