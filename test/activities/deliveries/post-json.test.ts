// Delivery attempts against a real endpoint.
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { postJson, type PostOptions } from '../../../activities/deliveries/post-json.ts';
import { generateWebhookSecret, signWebhook } from '../../../core/crypto/webhook-signature.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { createGate } from '../../support/gate.ts';
import { startOrigin } from '../../support/servers/origin-server.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

const BODY = '{"event":"delta","sourceName":"Zürich 🚲"}';

let sink: WebhookSink;

beforeAll(async () => {
  sink = await startSink();
});

afterAll(() => sink.close());

beforeEach(() => {
  sink.deliveries.length = 0;
  sink.respondWith(200);
});

function post(options: Partial<PostOptions> = {}) {
  return postJson({
    url: sink.url,
    body: BODY,
    headers: {},
    userAgent: 'Recordwatch/1 (+http://localhost:8080)',
    guard: { allowed: parseAllowedNetworks(['127.0.0.1']), resolve: () => Promise.resolve(['127.0.0.1']) },
    ...options,
  });
}

describe('an attempt that is accepted', () => {
  it('arrives byte for byte with a valid signature', async () => {
    const secret = generateWebhookSecret();
    const headers = signWebhook({ id: 'dlv_1', timeMs: Date.now(), body: BODY, secrets: [secret] });
    const outcome = await post({ headers });
    expect(outcome).toEqual({
      errorCode: null,
      statusCode: 200,
      durationMs: expect.any(Number) as number,
      excerpt: '',
      retryAfterMs: null,
    });
    const delivery = await sink.waitFor(({ headers }) => headers['webhook-id'] === 'dlv_1');
    expect(delivery.body).toBe(BODY);
    expect(delivery.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Recordwatch/1 (+http://localhost:8080)',
      connection: 'close',
    });
    // Node types headers more widely than the package reads them.
    expect(
      new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>),
    ).toBeDefined();
  });

  it.each([200, 201, 202, 204, 299])('counts as delivered with status %d', async (status) => {
    sink.respondWith(status);
    await expect(post()).resolves.toMatchObject({ errorCode: null, statusCode: status });
  });

  it('counts as delivered even if the rest of the response hangs or breaks off', async () => {
    const never = createGate();
    const endpoint = await startOrigin();
    onTestFinished(async () => {
      never.open();
      await endpoint.close();
    });
    endpoint.set('/hangs', { body: 'half-half', pauseUntil: never.wait() });
    endpoint.set('/breaks', { body: 'half-half', cutAfterBytes: 4 });
    const hanging = await post({ url: `${endpoint.url}/hangs`, timeoutMs: 200 });
    expect(hanging).toMatchObject({ errorCode: null, statusCode: 200, excerpt: 'half-' });
    const broken = await post({ url: `${endpoint.url}/breaks` });
    expect(broken).toMatchObject({ errorCode: null, statusCode: 200, excerpt: 'half' });
  });
});

describe('the excerpt of a response', () => {
  it('is at most 16 KiB of text that PostgreSQL can store', async () => {
    sink.respondWith({ status: 500, body: `a\u0000b${'x'.repeat(100_000)}` });
    const { excerpt } = await post();
    expect(excerpt).toHaveLength(16 * 1024);
    expect(excerpt?.startsWith('a\uFFFDb')).toBe(true);
  });

  it('is the only part of a response that is read', async () => {
    const never = createGate();
    const endpoint = await startOrigin();
    onTestFinished(async () => {
      never.open();
      await endpoint.close();
    });
    endpoint.set('/endless', { body: 'x'.repeat(200_000), pauseUntil: never.wait() });
    const outcome = await post({ url: `${endpoint.url}/endless`, timeoutMs: 60_000 });
    expect(outcome).toMatchObject({ errorCode: null, excerpt: 'x'.repeat(16 * 1024) });
  });
});

describe('an attempt that fails', () => {
  it.each([300, 400, 401, 404, 410, 429, 500, 503])('by status %d', async (status) => {
    sink.respondWith({ status, body: 'no' });
    await expect(post()).resolves.toMatchObject({
      errorCode: 'http_error',
      statusCode: status,
      excerpt: 'no',
    });
  });

  it('by a redirect, which is not followed', async () => {
    sink.respondWith({ status: 307, headers: { location: sink.url } });
    await expect(post()).resolves.toMatchObject({ errorCode: 'http_error', statusCode: 307 });
    expect(sink.deliveries).toHaveLength(1);
  });

  it('reports when the endpoint wants the next attempt', async () => {
    sink.respondWith({ status: 503, headers: { 'retry-after': '120' } });
    await expect(post()).resolves.toMatchObject({ retryAfterMs: 120_000 });
  });

  it('when the endpoint never answers', async () => {
    sink.respondWith({ hang: true });
    const outcome = await post({ timeoutMs: 100 });
    expect(outcome).toMatchObject({ errorCode: 'endpoint_timeout', statusCode: null, excerpt: null });
  });

  it('when the name is not resolved in time', async () => {
    const guard = { allowed: [], resolve: () => new Promise<never>(() => {}) };
    const outcome = await post({ url: 'https://slow.example/', guard, timeoutMs: 100 });
    expect(outcome).toMatchObject({ errorCode: 'endpoint_timeout' });
  });

  it('when nothing listens or the endpoint hangs up', async () => {
    const server = createTcpServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(post({ url })).resolves.toMatchObject({
      errorCode: 'endpoint_unreachable',
      statusCode: null,
    });
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await expect(post({ url })).resolves.toMatchObject({
      errorCode: 'endpoint_unreachable',
      statusCode: null,
    });
  });

  it('when the name has no address', async () => {
    const guard = { allowed: [], resolve: () => Promise.resolve([]) };
    await expect(post({ url: 'https://gone.example/', guard })).resolves.toMatchObject({
      errorCode: 'endpoint_unreachable',
    });
  });

  it.each(['http://10.0.0.1/', 'http://169.254.169.254/', 'http://u:p@127.0.0.1/', 'nonsense'])(
    'when %s is not allowed',
    async (url) => {
      await expect(post({ url })).resolves.toMatchObject({ errorCode: 'url_not_allowed', statusCode: null });
    },
  );

  it('when the name resolves to a private address', async () => {
    const guard = { allowed: [], resolve: () => Promise.resolve(['127.0.0.1']) };
    const url = sink.url.replace('127.0.0.1', 'hook.example');
    await expect(post({ url, guard })).resolves.toMatchObject({ errorCode: 'endpoint_unreachable' });
    expect(sink.deliveries).toHaveLength(0);
  });
});

it('ends with the reason when it is cancelled', async () => {
  const reason = new Error('The worker is shutting down');
  sink.respondWith({ hang: true });
  const controller = new AbortController();
  const posting = post({ signal: controller.signal });
  await sink.waitFor(() => true);
  controller.abort(reason);
  await expect(posting).rejects.toBe(reason);
});
