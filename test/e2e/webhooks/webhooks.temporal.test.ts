// Deliveries through the real processes, from the change at the origin to the signed request.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retryDeliveryId } from '../../../workflows/contract.ts';
import { createGate } from '../../support/gate.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { type SinkDelivery, startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let system: System;
let origin: Origin;
let sink: WebhookSink;
let feeds = 0;

beforeAll(async () => {
  system = await startSystem();
  origin = await startOrigin();
  sink = await startSink();
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await system.stop();
});

interface Feed {
  id: string;
  name: string;
  path: string;
  serve: (rows: number) => void;
}

/** Creates a record with a baseline of ten rows, whose deliveries go to their own path. */
async function newFeed(): Promise<Feed> {
  feeds += 1;
  const name = `feed ${feeds}`;
  const path = `/feed-${feeds}`;
  const serve = (rows: number): void =>
    origin.set(path, {
      body: ['id,name', ...Array.from({ length: rows }, (_, i) => `${i},row ${i}`)].join('\n'),
    });
  serve(10);
  const { id } = await createRecord(system, { url: origin.url + path, name, keyFields: ['id'] });
  return { id, name, path, serve };
}

async function addWebhook(
  feed: Feed,
  settings: Record<string, unknown> = {},
): Promise<{ id: string; secret: string }> {
  const { status, body } = await system.call('POST', `/v1/sources/${feed.id}/webhooks`, {
    url: `${sink.url}${feed.path}`,
    ...settings,
  });
  expect(status).toBe(201);
  return { id: String(body['id']), secret: String(body['secret']) };
}

const sentTo = (feed: Feed): SinkDelivery[] => sink.deliveries.filter(({ path }) => path.endsWith(feed.path));

const statusOf = async (feed: Feed) => {
  const [row] = await system.database
    .db('deliveries')
    .where({ recordId: feed.id })
    .select<{ id: string; status: string; attemptCount: number }[]>('id', 'status', 'attemptCount');
  return row;
};

const untilStatus = (feed: Feed, status: string) =>
  until(`the delivery is ${status}`, async () => {
    const row = await statusOf(feed);
    return row?.status === status ? row : undefined;
  });

function verified(delivery: SinkDelivery, secret: string): Record<string, unknown> {
  const verifier = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: 'raw' });
  // The headers as a receiver's framework gives them.
  return verifier.verify(delivery.body, delivery.headers as Record<string, string>) as Record<
    string,
    unknown
  >;
}

describe('a delivery', () => {
  it('is signed and matches the interface; a baseline and an unchanged check send none', async () => {
    const feed = await newFeed();
    const webhook = await addWebhook(feed);
    expect(webhook.secret).toMatch(/^whsec_/);
    await checkAndWait(system, feed.id);
    feed.serve(11);
    await checkAndWait(system, feed.id);
    await untilStatus(feed, 'delivered');
    const [delivery, ...others] = sentTo(feed);
    expect(others).toEqual([]);
    const { body: event } = await system.call('GET', `/v1/sources/${feed.id}/delta/latest`);
    const { body: record } = await system.call('GET', `/v1/sources/${feed.id}`);
    expect(delivery && verified(delivery, webhook.secret)).toEqual({
      event: 'delta',
      type: 'delta',
      timestamp: event['detectedAt'],
      webhookId: webhook.id,
      sourceId: feed.id,
      sourceName: feed.name,
      sourceSlug: record['slug'],
      deltaEventId: event['id'],
      snapshotId: event['snapshotId'],
      detectedAt: event['detectedAt'],
      summary: event['summary'],
      newKeys: ['10'],
      changedKeys: [],
      deletedKeys: [],
      truncated: { newKeys: false, changedKeys: false, deletedKeys: false },
      rowsUrl: `http://recordwatch.test/v1/sources/${feed.id}/delta/${String(event['id'])}/rows`,
    });
  });

  it('is returned by the API byte for byte as the receiver got it', async () => {
    const feed = await newFeed();
    const { id } = await addWebhook(feed, { eventTypes: ['delta', 'schema.changed'] });
    const rows = Array.from({ length: 10 }, (_, i) => `${i},row ${i},`);
    const odd = '"Grüße, \u2028<b>""数""</b>",x,\ud83d\ude00';
    origin.set(feed.path, { body: ['id,name,note', ...rows, odd].join('\n') });
    await checkAndWait(system, feed.id);
    await system.call('POST', `/v1/sources/${feed.id}/webhooks/${id}/test`, { eventType: 'check.failed' });
    const sent = await until('three have arrived', () =>
      sentTo(feed).length === 3 ? sentTo(feed) : undefined,
    );
    const shown = sent.map(async ({ headers }) => {
      const path = `/v1/sources/${feed.id}/webhooks/${id}/deliveries/${String(headers['webhook-id'])}`;
      return (await system.call('GET', path)).body['payload'];
    });
    expect(await Promise.all(shown)).toEqual(sent.map(({ body }) => body));
    expect(sent.map(({ body }) => body).join()).toContain('Grüße');
  });

  it('caps the keys of each category at 100', async () => {
    const feed = await newFeed();
    await addWebhook(feed);
    feed.serve(260);
    await checkAndWait(system, feed.id);
    await untilStatus(feed, 'delivered');
    const body = JSON.parse(sentTo(feed)[0]?.body ?? '') as {
      newKeys: string[];
      truncated: unknown;
      summary: { newCount: number };
    };
    expect(body.newKeys).toHaveLength(100);
    expect(body.truncated).toEqual({ newKeys: true, changedKeys: false, deletedKeys: false });
    expect(body.summary.newCount).toBe(250);
  });

  it('is signed with the UTF-8 bytes of a secret that the user chose', async () => {
    const feed = await newFeed();
    await addWebhook(feed, { secret: 'mein Geheimnis — 秘密' });
    feed.serve(11);
    await checkAndWait(system, feed.id);
    await untilStatus(feed, 'delivered');
    const [delivery] = sentTo(feed);
    expect(delivery && verified(delivery, 'mein Geheimnis — 秘密')).toMatchObject({ event: 'delta' });
    expect(() => delivery && verified(delivery, 'another secret')).toThrow('No matching signature');
  });

  it('is retried under the same id with a fresh signature until the endpoint accepts it', async () => {
    const feed = await newFeed();
    const { secret } = await addWebhook(feed);
    sink.respondWith(({ path }) => ({
      status: path.endsWith(feed.path) && sentTo(feed).length < 4 ? 503 : 200,
    }));
    feed.serve(11);
    await checkAndWait(system, feed.id);
    const { attemptCount, id } = await untilStatus(feed, 'delivered');
    expect(attemptCount).toBe(4);
    const sent = sentTo(feed);
    expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    for (const delivery of sent) verified(delivery, secret);
    const result: unknown = await system.temporal.client.workflow.getHandle(retryDeliveryId(id)).result();
    expect(result).toBe('Delivered at attempt 4 (status 200).');
  });

  it('fails after ten attempts', async () => {
    const feed = await newFeed();
    await addWebhook(feed);
    sink.respondWith(({ path }) => ({ status: path.endsWith(feed.path) ? 500 : 200 }));
    feed.serve(11);
    await checkAndWait(system, feed.id);
    const { attemptCount } = await untilStatus(feed, 'failed');
    expect(attemptCount).toBe(10);
    expect(sentTo(feed)).toHaveLength(10);
    const attempts = await system.database
      .db('attempts')
      .join('deliveries', 'deliveries.id', 'attempts.delivery_id')
      .where({ recordId: feed.id })
      .orderBy('number')
      .select<{ number: number; statusCode: number; errorCode: string }[]>(
        'number',
        'statusCode',
        'errorCode',
      );
    expect(attempts).toEqual(
      Array.from({ length: 10 }, (_, i) => ({ number: i + 1, statusCode: 500, errorCode: 'http_error' })),
    );
  });

  it('does not follow a redirect', async () => {
    const feed = await newFeed();
    await addWebhook(feed);
    const elsewhere = `${sink.url}/elsewhere`;
    sink.respondWith(({ path }) =>
      path.endsWith(feed.path) && sentTo(feed).length < 2
        ? { status: 307, headers: { location: elsewhere } }
        : { status: 200 },
    );
    feed.serve(11);
    await checkAndWait(system, feed.id);
    const { attemptCount } = await untilStatus(feed, 'delivered');
    expect(attemptCount).toBe(2);
    expect(sink.deliveries.filter(({ path }) => path.endsWith('/elsewhere'))).toEqual([]);
  });

  it('that is answered with 410 disables the webhook', async () => {
    const feed = await newFeed();
    const { id } = await addWebhook(feed);
    sink.respondWith(({ path }) => ({ status: path.endsWith(feed.path) ? 410 : 200 }));
    feed.serve(11);
    await checkAndWait(system, feed.id);
    await untilStatus(feed, 'failed');
    const { body } = await system.call('GET', `/v1/sources/${feed.id}/webhooks`);
    expect(body['webhooks']).toMatchObject([
      { id, enabled: false, disabledReason: expect.stringContaining('410') as string },
    ]);
    feed.serve(12);
    await checkAndWait(system, feed.id);
    expect(sentTo(feed)).toHaveLength(1);
  });

  it('is cancelled when its webhook is disabled while it waits', async () => {
    const feed = await newFeed();
    const { id } = await addWebhook(feed);
    sink.respondWith(({ path }) => ({ status: path.endsWith(feed.path) ? 500 : 200 }));
    feed.serve(11);
    await checkAndWait(system, feed.id);
    await until('the first attempt', () => sentTo(feed).length > 0);
    await system.call('PATCH', `/v1/sources/${feed.id}/webhooks/${id}`, { enabled: false });
    await untilStatus(feed, 'cancelled');
    const count = sentTo(feed).length;
    await system.call('PATCH', `/v1/sources/${feed.id}/webhooks/${id}`, { enabled: true });
    feed.serve(12);
    sink.respondWith(200);
    await checkAndWait(system, feed.id);
    await until('a delivery after enabling', () => sentTo(feed).length === count + 1);
  });
});

describe('a webhook', () => {
  /** What was sent, by type. */
  const news = (feed: Feed) =>
    sentTo(feed)
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .toSorted((left, right) => String(left['event']).localeCompare(String(right['event'])));

  it('that subscribes is told once that checks fail, and that they succeed again', async () => {
    const feed = await newFeed();
    await addWebhook(feed, { eventTypes: ['check.failed', 'check.recovered'] });
    origin.set(feed.path, { status: 500 });
    const failed = await checkAndWait(system, feed.id);
    await checkAndWait(system, feed.id);
    feed.serve(10);
    const good = await checkAndWait(system, feed.id);
    await until('both are told', () => news(feed).length === 2);
    expect(news(feed)).toMatchObject([
      {
        event: 'check.failed',
        type: 'check.failed',
        deltaEventId: null,
        sourceId: feed.id,
        checkId: failed.id,
      },
      { event: 'check.recovered', type: 'check.recovered', deltaEventId: null, checkId: good.id },
    ]);
    // It does not subscribe to changes.
    feed.serve(11);
    await checkAndWait(system, feed.id);
    expect(await system.database.db('deliveries').where({ recordId: feed.id, eventType: 'delta' })).toEqual(
      [],
    );
  });

  it('that subscribes is told that another webhook of its record was disabled', async () => {
    const feed = await newFeed();
    const { id } = await addWebhook(feed, { url: `${sink.url}/gone` });
    await addWebhook(feed, { eventTypes: ['webhook.disabled'] });
    sink.respondWith(({ path }) => ({ status: path.endsWith('/gone') ? 410 : 200 }));
    feed.serve(11);
    await checkAndWait(system, feed.id);
    await until('it is told', () => news(feed).length === 1);
    expect(news(feed)).toMatchObject([
      { event: 'webhook.disabled', deltaEventId: null, disabledWebhookId: id, sourceId: feed.id },
    ]);
  });

  it('whose secret is being rotated gets signatures with both secrets', async () => {
    const feed = await newFeed();
    const { id, secret } = await addWebhook(feed);
    const path = `/v1/sources/${feed.id}/webhooks/${id}/rotate-secret`;
    const { body } = await system.call('POST', path, {});
    feed.serve(11);
    await checkAndWait(system, feed.id);
    await untilStatus(feed, 'delivered');
    const [delivery] = sentTo(feed);
    for (const valid of [secret, String(body['secret'])]) {
      expect(delivery && verified(delivery, valid)).toMatchObject({ sourceId: feed.id });
    }
    expect(String(delivery?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  });

  it('that was disabled for a while recovers missed deliveries through its backlog', async () => {
    const feed = await newFeed();
    const { id } = await addWebhook(feed);
    const path = `/v1/sources/${feed.id}/webhooks/${id}`;
    const since = new Date().toISOString();
    await system.call('PATCH', path, { enabled: false });
    for (const rows of [11, 12, 13]) {
      feed.serve(rows);
      await checkAndWait(system, feed.id);
    }
    await system.call('PATCH', path, { enabled: true });
    const { status, body } = await system.call('POST', `${path}/recover`, { since });
    expect([status, body['count']]).toEqual([202, 3]);
    await until('all are delivered', async () => {
      const rows = await system.database.db('deliveries').where({ webhookId: id, status: 'delivered' });
      return rows.length === 3;
    });
    expect(new Set(news(feed).flatMap(({ newKeys }) => newKeys))).toEqual(new Set(['10', '11', '12']));
  });
});

describe('a slow endpoint', () => {
  it('delays neither the next check nor other webhooks', async () => {
    const feed = await newFeed();
    await addWebhook(feed, { url: `${sink.url}/slow` });
    await addWebhook(feed);
    const gate = createGate();
    sink.respondWith(({ path }) =>
      path.endsWith('/slow') ? { status: 200, until: gate.wait() } : { status: 200 },
    );
    feed.serve(11);
    await checkAndWait(system, feed.id);
    await until('the quick webhook is called', () => sentTo(feed).length === 1);
    feed.serve(12);
    expect(await checkAndWait(system, feed.id)).toMatchObject({ outcome: 'changed' });
    await until('the quick webhook is called again', () => sentTo(feed).length === 2);
    gate.open();
    await until('all are delivered', async () => {
      const pending = await system.database.db('deliveries').where({ recordId: feed.id, status: 'pending' });
      return pending.length === 0;
    });
  });
});
