// The settings of ordered webhooks and of CloudEvents in the API, and what waits for what.
import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();
const url = 'https://hooks.example.com/in';
let recordId = '';

beforeEach(async () => {
  recordId = await createTestRecord(api.db, api.accountId);
});

async function makeWebhook(settings: Record<string, unknown>): Promise<string> {
  const { status, body } = await api.call('POST', `/v1/sources/${recordId}/webhooks`, {
    body: { url, ...settings },
  });
  expect(status).toBe(201);
  return `/v1/sources/${recordId}/webhooks/${body.id}`;
}

async function change(times: number): Promise<void> {
  for (let made = 0; made < times; made += 1)
    await commitRows(api.db, recordId, { a: `{"id":"a","price":"${Math.random()}"}` });
}

interface Listed {
  id: string;
  status: string;
  waitsFor: string | null;
}
const deliveriesOf = async (webhook: string): Promise<Listed[]> =>
  (await api.call('GET', `${webhook}/deliveries?order=asc`)).body.deliveries as Listed[];
const end = (id: string, status: 'delivered' | 'failed') =>
  api.db('deliveries').where({ id }).update({ status, nextAttemptAt: null, finishedAt: new Date() });

describe('an ordered webhook', () => {
  it('says of each delivery which one goes first, and of one delivery too', async () => {
    const webhook = await makeWebhook({ ordered: true });
    await change(4);
    const [first, second, third] = await deliveriesOf(webhook);
    expect([first?.waitsFor, second?.waitsFor, third?.waitsFor]).toEqual([null, first?.id, first?.id]);
    expect((await api.call('GET', `${webhook}/deliveries/${third?.id}`)).body.waitsFor).toBe(first?.id);
    await end(first?.id ?? '', 'delivered');
    expect((await deliveriesOf(webhook)).map(({ waitsFor }) => waitsFor)).toEqual([null, null, second?.id]);
  });

  it('blocks or skips after a failure, as its settings say now, and tells the backlog of a change', async () => {
    const webhook = await makeWebhook({ ordered: true });
    await change(3);
    const [first, second] = await deliveriesOf(webhook);
    await end(first?.id ?? '', 'failed');
    expect((await deliveriesOf(webhook))[1]?.waitsFor).toBe(first?.id);
    const before = api.workflows.calls.length;
    expect((await api.call('PATCH', webhook, { body: { onFailure: 'skip' } })).status).toBe(200);
    expect(api.workflows.calls.slice(before)).toMatchObject([{ name: 'sendBacklog' }]);
    expect((await deliveriesOf(webhook))[1]).toMatchObject({ id: second?.id, waitsFor: null });
  });

  it('has no lines any more when it is not ordered', async () => {
    const webhook = await makeWebhook({ ordered: true });
    await change(3);
    await api.call('PATCH', webhook, { body: { ordered: false } });
    expect((await deliveriesOf(webhook)).map(({ waitsFor }) => waitsFor)).toEqual([null, null]);
    await api.call('PATCH', webhook, { body: { ordered: true } });
    const [first, second] = await deliveriesOf(webhook);
    expect(second?.waitsFor).toBe(first?.id);
  });

  it('leaves the deliveries of other webhooks alone', async () => {
    await makeWebhook({ ordered: true });
    const webhook = await makeWebhook({});
    await change(3);
    expect((await deliveriesOf(webhook)).map(({ waitsFor }) => waitsFor)).toEqual([null, null]);
  });
});

describe('a webhook with CloudEvents', () => {
  it('keeps the format of a delivery, and holds its size with the envelope', async () => {
    const webhook = await makeWebhook({ format: 'cloudevents', include: 'rows', maxBodyBytes: 16_384 });
    const rows = Object.fromEntries(
      Array.from({ length: 300 }, (_, id) => [`${id}`.padStart(3, '0'), `{"id":"${id}","price":1}`]),
    );
    await change(1);
    await commitRows(api.db, recordId, { ...rows, a: '{"id":"a","price":1}' });
    const [delivery] = await deliveriesOf(webhook);
    await api.call('PATCH', webhook, { body: { format: 'json' } });
    const { body } = await api.call('GET', `${webhook}/deliveries/${delivery?.id}`);
    const payload = String(body.payload);
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(16_384);
    const event = JSON.parse(payload) as Record<string, unknown> & { data: Record<string, unknown> };
    expect(event).toMatchObject({
      specversion: '1.0',
      id: delivery?.id,
      type: 'recordwatch.delta',
      subject: event.data['deltaEventId'],
      time: event.data['detectedAt'],
      datacontenttype: 'application/json',
      data: { event: 'delta', truncated: { rows: true } },
    });
    expect(String(event['source']).endsWith(`/v1/sources/${recordId}`)).toBe(true);
  });
});
