// Webhooks in Express and Fastify: genuine ones are handled once verified, others get 401, and failures get 500.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { receiveWebhooks as expressReceiver } from '../../../../../clients/typescript/src/receive/express.ts';
import { receiveWebhooks as fastifyReceiver } from '../../../../../clients/typescript/src/receive/fastify.ts';
import {
  MAX_BODY_BYTES,
  type ReceivedWebhook,
  SignatureError,
  verifyWebhook,
} from '../../../../../clients/typescript/src/receive/webhooks.ts';
import { signWebhook } from '../../../../../core/crypto/webhook-signature.ts';
import { UNUSABLE_SECRETS } from '../../../unusable-secrets.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const BODY = JSON.stringify({ event: 'delta', sourceName: 'Prix — été', newKeys: ['A'] });

function signed(body: string, secret = SECRET, at = new Date()): Record<string, string> {
  const signer = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  return {
    'content-type': 'application/json',
    'webhook-id': 'dlv_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signer.sign('dlv_1', at, body),
  };
}

describe('verifyWebhook', () => {
  it('gives the event of a genuine body, as text or bytes', () => {
    const expected = { id: 'dlv_1', event: { sourceName: 'Prix — été' } };
    expect(verifyWebhook(SECRET, signed(BODY), BODY)).toMatchObject(expected);
    expect(verifyWebhook(SECRET, new Headers(signed(BODY)), Buffer.from(BODY))).toMatchObject(expected);
  });

  it('takes a secret without the prefix as it is', () => {
    const own = 'a secret of my own, long enough';
    expect(verifyWebhook(own, signed(BODY, own), BODY).id).toBe('dlv_1');
  });

  it.each([24, 25, 26, 64])('takes a secret of %d bytes, with and without its padding', (size) => {
    const secret = `whsec_${Buffer.alloc(size, 251).toString('base64')}`;
    for (const given of [secret, secret.replace(/=+$/, '')]) {
      expect(verifyWebhook(given, signed(BODY, secret), BODY).id).toBe('dlv_1');
    }
  });

  it('regression: takes a secret beyond ASCII as the service does', () => {
    const own = 'mein Geheimnis — 秘密';
    const headers = signWebhook({ id: 'dlv_1', timeMs: Date.now(), body: BODY, secrets: [own] });
    expect(verifyWebhook(own, headers, BODY).id).toBe('dlv_1');
  });

  it('opens the envelope of a CloudEvent', () => {
    const body = JSON.stringify({ specversion: '1.0', data: JSON.parse(BODY) });
    expect(verifyWebhook(SECRET, signed(body), body).event.event).toBe('delta');
  });

  it('reads the body with parseJson', () => {
    const body = '{"event":"delta","rows":[{"price":1.10}]}';
    const parseJson = (text: string) => ({ event: text });
    expect(verifyWebhook(SECRET, signed(body), body, { parseJson }).event.event).toBe(body);
  });

  it.each([
    ['a changed body', signed(BODY), BODY.replace('A', 'B')],
    ['another secret', signed(BODY, `whsec_${Buffer.alloc(24, 8).toString('base64')}`), BODY],
    ['an old signature', signed(BODY, SECRET, new Date(Date.now() - 3_600_000)), BODY],
    ['no signature', {}, BODY],
    ['a signature that is none', { ...signed(BODY), 'webhook-signature': 'nonsense' }, BODY],
    ['a signature that is not base64', { ...signed(BODY), 'webhook-signature': 'v1,A!' }, BODY],
    ['a time that is none', { ...signed(BODY), 'webhook-timestamp': 'NaN' }, BODY],
  ])('refuses %s', (_, headers, body) => {
    expect(() => verifyWebhook(SECRET, headers, body)).toThrow(SignatureError);
  });
});

describe('regression: a secret that anybody could sign with, or that is not whole', () => {
  // As from an environment variable that is not set.
  const unset = undefined as unknown as string;

  // The last one ends in bits that belong to no byte.
  it.each([unset, ...UNUSABLE_SECRETS, `whsec_${'A'.repeat(42)}B`])(
    'is refused when a receiver is made: %j',
    async (secret) => {
      const refused = 'The secret of the webhook is missing or damaged.';
      expect(() => expressReceiver({ secret, handle })).toThrow(refused);
      const app = Fastify();
      await expect(app.register(fastifyReceiver, { path: '/hook', secret, handle })).rejects.toThrow(refused);
      expect(() => verifyWebhook(secret, signed(BODY), BODY)).toThrow(refused);
    },
  );
});

const handled: ReceivedWebhook[] = [];
let isBroken = false;
const handle = (webhook: ReceivedWebhook): void => {
  if (isBroken) throw new Error('The handler is broken');
  handled.push(webhook);
};
beforeEach(() => {
  handled.length = 0;
  isBroken = false;
});

async function expressServer(): Promise<{ server: Server; ready: Promise<unknown> }> {
  const app = express();
  app.set('env', 'test');
  app.post('/hook', expressReceiver({ secret: SECRET, handle }));
  app.post('/raw', express.raw({ type: () => true }), expressReceiver({ secret: SECRET, handle }));
  app.post('/parsed', express.json(), expressReceiver({ secret: SECRET, handle }));
  const server = createServer(app).listen(0, '127.0.0.1');
  return { server, ready: once(server, 'listening') };
}

async function fastifyServer(): Promise<{ server: Server; ready: Promise<unknown> }> {
  const app = Fastify();
  await app.register(fastifyReceiver, { path: '/hook', secret: SECRET, handle });
  app.post('/json', async (request) => {
    const { sourceName } = request.body as { sourceName?: string };
    if (sourceName === undefined) throw new Error('The body is not parsed');
    return { sourceName };
  });
  return { server: app.server, ready: app.listen({ port: 0, host: '127.0.0.1' }) };
}

describe.each<[string, typeof expressServer, [string, number][]]>([
  [
    'Express',
    expressServer,
    [
      ['/raw', 204],
      // Its parser has read the body, so nobody can verify it.
      ['/parsed', 500],
    ],
  ],
  ['Fastify', fastifyServer, [['/json', 200]]],
])('%s', (_, start, beside) => {
  let server: Server;
  let url = '';
  beforeAll(async () => {
    const started = await start();
    server = started.server;
    await started.ready;
    // A server that listens on TCP has an AddressInfo.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const send = async (path: string, headers: Record<string, string>, body: string): Promise<number> =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body })).status;

  it('handles a genuine webhook, also as a CloudEvent', async () => {
    expect(await send('/hook', signed(BODY), BODY)).toBe(204);
    expect(handled).toMatchObject([{ id: 'dlv_1', event: { event: 'delta', sourceName: 'Prix — été' } }]);
    const type = { 'content-type': 'application/cloudevents+json' };
    const cloud = JSON.stringify({ specversion: '1.0', data: JSON.parse(BODY) });
    expect(await send('/hook', { ...signed(cloud), ...type }, cloud)).toBe(204);
    expect(handled).toHaveLength(2);
  });

  it('refuses a forged one, and one that is too large', async () => {
    expect(await send('/hook', { ...signed(BODY), 'webhook-signature': 'v1,AAAA' }, BODY)).toBe(401);
    expect(await send('/hook', {}, '')).toBe(401);
    const large = 'x'.repeat(MAX_BODY_BYTES + 1);
    // The server may end the connection before it has read everything.
    expect(await send('/hook', signed(large), large).catch(() => 413)).toBe(413);
    expect(handled).toEqual([]);
  });

  it('answers 500 when the handler fails, so that the webhook comes again', async () => {
    isBroken = true;
    expect(await send('/hook', signed(BODY), BODY)).toBe(500);
  });

  it('works beside parsers of the application', async () => {
    const statuses = await Promise.all(beside.map(([path]) => send(path, signed(BODY), BODY)));
    expect(statuses).toEqual(beside.map(([, status]) => status));
  });
});
