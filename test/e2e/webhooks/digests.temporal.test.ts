// Digests through the real processes, which die between making one and sending it, and while they send it.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { mergeDigest } from '../../../db/webhooks/digests.ts';
import { SCHEDULE_IDS } from '../../../workflows/contract.ts';
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
let tests = 0;
let version = 0;

beforeAll(async () => {
  [system, origin, sink] = await Promise.all([startSystem(), startOrigin(), startSink()]);
});
beforeEach(() => {
  tests += 1;
  sink.respondWith(200);
});
afterAll(async () => {
  await Promise.all([sink.close(), origin.close()]);
  await system.stop();
});

const serve = (name: string): string => {
  const path = `/test-${tests}/${name}.csv`;
  origin.set(path, { body: `id,value\na,${(version += 1)}` });
  return origin.url + path;
};

const newRecord = async (name: string): Promise<string> =>
  (await createRecord(system, { url: serve(name), name, keyFields: ['id'] })).id;

const change = async (id: string, name: string): Promise<void> => {
  serve(name);
  expect((await checkAndWait(system, id)).outcome).toBe('changed');
};

interface Made {
  id: string;
  secret: string;
  /** What has arrived, oldest first. */
  sent: () => SinkDelivery[];
}

/** For these records alone, because the tests share an account. */
async function newWebhook(ids: readonly string[], settings: object): Promise<Made> {
  const path = `/test-${tests}`;
  const body = { url: sink.url + path, format: 'slack', sources: { ids }, ...settings };
  const { status, body: made } = await system.call('POST', '/v1/webhooks', body);
  expect(status).toBe(201);
  const { id, secret } = made;
  return {
    id: String(id),
    secret: String(secret),
    sent: () => sink.deliveries.filter((delivery) => delivery.path.endsWith(path)),
  };
}

const listed = ({ id }: Made) =>
  readAll<{ id: string; eventType: string; status: string; attemptCount: number }>(
    system,
    `/v1/webhooks/${id}/deliveries`,
    'deliveries',
  );

/** Moves what has happened so far into the past. */
const pass = ({ id }: Made) =>
  system.database
    .db('deliveries')
    .where({ webhookId: id })
    .update('createdAt', system.database.db.raw(`created_at - interval '1 day'`));

const reconcile = () => system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).trigger();

const untilSent = (webhook: Made, count: number) =>
  until(`${count} have arrived`, async () => {
    await reconcile();
    return webhook.sent().length >= count ? true : undefined;
  });

const untilDelivered = (webhook: Made) =>
  until('the message is delivered', async () => {
    const [first] = await listed(webhook);
    return first?.status === 'delivered' ? first : undefined;
  });

it('sends the events of several records as one signed message', async () => {
  const [jams, teas] = [await newRecord('Jams'), await newRecord('Teas')];
  const webhook = await newWebhook([jams, teas], { digest: { every: 'hour' } });
  await change(jams, 'Jams');
  await change(teas, 'Teas');
  await change(jams, 'Jams');
  expect(await listed(webhook)).toEqual([]);
  expect(webhook.sent()).toEqual([]);
  await pass(webhook);
  await untilSent(webhook, 1);
  const delivery = await untilDelivered(webhook);
  expect(delivery).toMatchObject({ eventType: 'digest', attemptCount: 1 });
  expect(await listed(webhook)).toHaveLength(1);
  const [sent] = webhook.sent();
  expect(sent?.headers['webhook-id']).toBe(delivery.id);
  const message = new Webhook(webhook.secret).verify(
    sent?.body ?? '',
    sent?.headers as Record<string, string>,
  );
  expect(JSON.stringify(message)).toContain('3 events of 2 records');
  const { body } = await system.call('GET', `/v1/webhooks/${webhook.id}/deliveries/${delivery.id}`);
  expect(body['payload']).toBe(sent?.body);
});

it('sends it once, and the same, though the worker dies after making it and while it sends', async () => {
  const jams = await newRecord('Jams');
  const webhook = await newWebhook([jams], { digest: { every: 'day', timeZone: 'Asia/Kathmandu' } });
  await change(jams, 'Jams');
  await change(jams, 'Jams');
  await pass(webhook);
  await system.kill('worker');
  // What a worker leaves that dies between its commit and the start of the workflow.
  const digest = await mergeDigest(
    { db: system.database.db, baseUrl: 'http://recordwatch.test' },
    webhook.id,
  );
  sink.respondWith({ hang: true });
  await system.start('worker');
  await untilSent(webhook, 1);
  await system.kill('worker');
  sink.respondWith(200);
  await system.start('worker');
  await untilSent(webhook, 2);
  const delivery = await untilDelivered(webhook);
  expect(delivery.id).toBe(digest);
  const ids = new Set(webhook.sent().map(({ headers }) => headers['webhook-id']));
  expect([...ids]).toEqual([digest]);
  expect(new Set(webhook.sent().map(({ body }) => body)).size).toBe(1);
});

it('makes one message of the events after the third within ten minutes', async () => {
  const jams = await newRecord('Jams');
  const webhook = await newWebhook([jams], {});
  for (let at = 0; at < 6; at += 1) await change(jams, 'Jams');
  await untilSent(webhook, 3);
  await pass(webhook);
  await untilSent(webhook, 4);
  const last = await untilDelivered(webhook);
  expect(last.eventType).toBe('digest');
  expect(webhook.sent().at(-1)?.body).toContain('3 changed rows in 3 events');
  expect((await listed(webhook)).map(({ eventType }) => eventType)).toEqual([
    'digest',
    ...Array<string>(3).fill('delta'),
  ]);
});
