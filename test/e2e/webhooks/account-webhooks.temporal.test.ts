// One endpoint for several records, through the real processes: all records, those with a label, a list; in order, and after
// an outage.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import {
  checkAndWait,
  createRecord,
  readAll,
  startSystem,
  type System,
} from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { type SinkDelivery, startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let system: System;
let origin: Origin;
let sink: WebhookSink;
/** Three records, of which the first two have a label. */
let records: string[];
let tests = 0;
let version = 0;

const serve = (at: number): void =>
  origin.set(`/test-${tests}/${at}`, { body: `id,value\na,${(version += 1)}` });

const change = async (at: number): Promise<void> => {
  serve(at);
  expect((await checkAndWait(system, records[at] ?? '')).outcome).toBe('changed');
};

beforeAll(async () => {
  [system, origin, sink] = await Promise.all([startSystem(), startOrigin(), startSink()]);
});
beforeEach(async () => {
  tests += 1;
  sink.respondWith(200);
  records = [];
  for (const at of [0, 1, 2]) {
    serve(at);
    const labels = at === 2 ? { team: 'other' } : { team: `test-${tests}` };
    const url = `${origin.url}/test-${tests}/${at}`;
    records.push((await createRecord(system, { url, keyFields: ['id'], labels })).id);
  }
});
afterAll(async () => {
  await Promise.all([sink.close(), origin.close()]);
  await system.stop();
});

interface Made {
  id: string;
  secret: string;
  /** What has arrived, oldest first. */
  sent: () => SinkDelivery[];
}

async function makeWebhook(name: string, settings: object = {}): Promise<Made> {
  const path = `/test-${tests}/${name}`;
  const { status, body } = await system.call('POST', '/v1/webhooks', { url: sink.url + path, ...settings });
  expect(status).toBe(201);
  return {
    id: String(body['id']),
    secret: String(body['secret']),
    sent: () => sink.deliveries.filter((delivery) => delivery.path.endsWith(path)),
  };
}

const verified = ({ body, headers }: SinkDelivery, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>;

const sourcesOf = ({ sent, secret }: Made) =>
  sent()
    .map((delivery) => String(verified(delivery, secret)['sourceId']))
    .toSorted();

const untilCount = (webhook: Made, count: number) =>
  until(`${count} have arrived`, () => (webhook.sent().length >= count ? true : undefined));

it('gets the events of the records that it is for, each signed and in the body of a record’s webhook', async () => {
  const [first = '', second = '', third = ''] = records;
  const all = await makeWebhook('all');
  const labelled = await makeWebhook('labels', { sources: { labels: { team: `test-${tests}` } } });
  const listed = await makeWebhook('list', { sources: { ids: [third] }, include: 'rows' });
  const own = await system.call('POST', `/v1/sources/${third}/webhooks`, {
    url: `${sink.url}/test-${tests}/own`,
    include: 'rows',
  });
  for (const at of [0, 1, 2]) await change(at);
  await untilCount(all, 3);
  await untilCount(labelled, 2);
  await untilCount(listed, 1);
  const ofRecord = await sink.waitFor(({ path }) => path.endsWith(`/test-${tests}/own`));
  const [body] = listed.sent().map((delivery) => delivery.body);
  expect(body?.replaceAll(listed.id, String(own.body['id'])).replace(/delivery=\w+/, '')).toBe(
    ofRecord.body.replace(/delivery=\w+/, ''),
  );
  expect(sourcesOf(all)).toEqual([first, second, third].toSorted());
  expect(sourcesOf(labelled)).toEqual([first, second].toSorted());
  expect(sourcesOf(listed)).toEqual([third]);
  // The labels that the record has now decide.
  await system.call('PATCH', `/v1/sources/${third}`, { labels: { team: `test-${tests}` } });
  await change(2);
  await untilCount(labelled, 3);
  expect(sourcesOf(labelled)).toEqual([first, second, third].toSorted());
});

it('in order, a failing event holds up its record and no other', async () => {
  const webhook = await makeWebhook('ordered', { ordered: true });
  const [first = '', second = ''] = records;
  let isUp = false;
  const isOfFirst = ({ body }: SinkDelivery) => (JSON.parse(body) as { sourceId: string }).sourceId === first;
  sink.respondWith((delivery) => ({ status: !isUp && isOfFirst(delivery) ? 503 : 200 }));
  await change(0);
  await change(0);
  await change(1);
  await change(1);
  const arrived = (sourceId: string) =>
    webhook.sent().filter(({ body }) => (JSON.parse(body) as { sourceId: string }).sourceId === sourceId);
  await until('the other record’s have arrived', () => (arrived(second).length === 2 ? true : undefined));
  type Shown = { id: string; sourceId: string; waitsFor: string | null };
  const path = `/v1/webhooks/${webhook.id}/deliveries?order=asc`;
  const [earliest, next] = (await readAll<Shown>(system, path, 'deliveries')).filter(
    ({ sourceId }) => sourceId === first,
  );
  expect(next?.waitsFor).toBe(earliest?.id);
  expect(new Set(arrived(first).map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([earliest?.id]),
  );
  isUp = true;
  await system.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${earliest?.id ?? ''}/redeliver`);
  await until('the next one has arrived', () =>
    arrived(first).find(({ headers }) => headers['webhook-id'] === next?.id),
  );
});

it('a webhook that was disabled recovers what it missed of all its records', async () => {
  const webhook = await makeWebhook('gone');
  sink.respondWith(410);
  await change(0);
  await until('it is disabled', async () => {
    const { body } = await system.call('GET', `/v1/webhooks/${webhook.id}`);
    return body['enabled'] === false ? true : undefined;
  });
  sink.respondWith(200);
  await change(1);
  await change(2);
  await system.call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: true });
  const before = webhook.sent().length;
  const { status, body } = await system.call('POST', `/v1/webhooks/${webhook.id}/recover`, {
    since: '2020-01-01T00:00:00Z',
  });
  expect([status, body]).toMatchObject([202, { count: 3, hasMore: false }]);
  await untilCount(webhook, before + 3);
  expect(new Set(sourcesOf(webhook))).toEqual(new Set(records));
  const test = await system.call(
    'POST',
    `/v1/webhooks/${webhook.id}/test`,
    { eventType: 'check.failed' },
    { prefer: 'wait=20' },
  );
  expect(test.body).toMatchObject({ status: 'delivered', sourceId: records[2], isTest: true });
});
