// `activity=true` on webhooks of a record and of the account: the last delivery, and how the latest ones ended.
import { beforeEach, expect, it } from 'vitest';
import { MOST_COUNTED } from '../../../db/webhooks/delivery-activity.ts';
import { useApi } from '../../support/api/api.ts';
import { createTestRecord, newTestId } from '../../support/rows/factories.ts';

const api = useApi();
const DAY_MS = 86_400_000;
let recordId: string;
let id: string;

beforeEach(async () => {
  recordId = await createTestRecord(api.db, api.accountId);
  ({ id } = (
    await api.call('POST', `/v1/sources/${recordId}/webhooks`, { body: { url: 'https://example.com/in' } })
  ).body);
});

const list = async (query = 'activity=true') =>
  (await api.call('GET', `/v1/sources/${recordId}/webhooks?${query}`)).body.webhooks;

/** Adds deliveries, oldest first. @returns their ids */
async function deliver(statuses: readonly string[], daysAgo = 0, webhookId = id): Promise<string[]> {
  const ms = Date.now() - daysAgo * DAY_MS;
  const rows = statuses.map((status, at) => ({
    id: newTestId('delivery', ms + at),
    webhookId,
    recordId,
    eventData: '{}',
    eventType: 'check.failed',
    status,
    createdAt: new Date(ms + at),
    finishedAt: status === 'pending' ? null : new Date(ms + at + 1),
    nextAttemptAt: status === 'pending' ? new Date() : null,
  }));
  await api.db.batchInsert('deliveries', rows);
  return rows.map((row) => row.id);
}

it('has the last delivery, and counts those of the last 30 days', async () => {
  await deliver(['failed', 'failed'], 31);
  const ids = await deliver(['delivered', 'failed', 'delivered', 'cancelled', 'pending', 'delivered']);
  const [webhook] = await list();
  expect(webhook.activity).toMatchObject({
    delivered: 3,
    failed: 1,
    cancelled: 1,
    pending: 1,
    lastDelivery: { id: ids.at(-1), status: 'delivered', finishedAt: expect.any(String) },
  });
  const days = (Date.now() - Date.parse(webhook.activity.since)) / DAY_MS;
  expect(Math.round(days)).toBe(30);
  const one = await api.call('GET', `/v1/sources/${recordId}/webhooks/${id}?activity=true`);
  expect(one.body.activity).toMatchObject({ delivered: 3, failed: 1 });
});

it('is empty before the first delivery, and has an old one as the last', async () => {
  expect((await list())[0].activity).toMatchObject({
    delivered: 0,
    failed: 0,
    pending: 0,
    lastDelivery: null,
  });
  const [old] = await deliver(['failed'], 40);
  expect((await list())[0].activity).toMatchObject({
    failed: 0,
    lastDelivery: { id: old, status: 'failed' },
  });
});

it('counts the newest ones of a busy webhook, and says since when', async () => {
  await deliver(['failed', 'failed', 'failed'], 2);
  await deliver(
    Array.from({ length: MOST_COUNTED }, () => 'delivered'),
    1,
  );
  const { activity } = (await list())[0];
  expect(activity).toMatchObject({ delivered: MOST_COUNTED, failed: 0 });
  expect(Math.round((Date.now() - Date.parse(activity.since)) / DAY_MS)).toBe(1);
});

it('is that of each webhook, also of the account’s', async () => {
  const { body: all } = await api.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/all' } });
  await deliver(['failed'], 0, all.id);
  await deliver(['delivered', 'delivered']);
  expect((await list())[0].activity).toMatchObject({ delivered: 2, failed: 0 });
  const listed = (await api.call('GET', '/v1/webhooks?activity=true')).body.webhooks;
  expect(listed.find((each: { id: string }) => each.id === all.id).activity).toMatchObject({
    delivered: 0,
    failed: 1,
  });
  const one = await api.call('GET', `/v1/webhooks/${all.id}?activity=true`);
  expect(one.body.activity).toMatchObject({ failed: 1 });
});

it('is shown on request only', async () => {
  for (const query of ['', 'activity=false']) expect((await list(query))[0]).not.toHaveProperty('activity');
  expect((await api.call('GET', `/v1/sources/${recordId}/webhooks/${id}`)).body).not.toHaveProperty(
    'activity',
  );
});
