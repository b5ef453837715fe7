// The codec server: Temporal's protocol, and who may use it.
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildCodecServer, startCodecServer } from '../../../api/codec/codec-server.ts';
import { type PayloadJson, toPayloadJson } from '../../../api/codec/payload-json.ts';
import { parseConfig } from '../../../core/config.ts';
import { createPayloadCodec } from '../../../outbound/payload-codec.ts';

const TOKEN = 'a'.repeat(40);
const UI = 'https://temporal.example.com';
const keys = `c1:${randomBytes(32).toString('base64')}`;
const config = parseConfig({
  TEMPORAL_CODEC_KEYS: keys,
  TEMPORAL_CODEC_TOKEN: TOKEN,
  TEMPORAL_UI_URL: `${UI}/namespaces`,
});
const log = pino({ level: 'silent' });

let server: FastifyInstance;
let now: number;

beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
  server = buildCodecServer(config, { log, clock: () => now });
});
afterEach(() => server.close());

const bearer = { authorization: `Bearer ${TOKEN}` };
const plain = toPayloadJson(defaultPayloadConverter.toPayload({ recordId: 'src_1' }));

async function call(path: string, payloads: unknown, headers: Record<string, string> = bearer) {
  const answer = await server.inject({ method: 'POST', url: path, headers, payload: { payloads } as object });
  const body = answer.json<{ payloads?: PayloadJson[]; message?: string }>();
  return { status: answer.statusCode, body, headers: answer.headers };
}

async function sealed(): Promise<PayloadJson> {
  const { body } = await call('/encode', [plain]);
  return body.payloads?.[0] ?? {};
}

const signIn = (token: string, headers: Record<string, string> = {}) =>
  server.inject({
    method: 'POST',
    url: '/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ token }).toString(),
  });

const cookieOf = (header: unknown): string => String(header).split(';')[0] ?? '';

describe('the codec server', () => {
  it('opens what the product seals, and seals what it opens', async () => {
    const one = await sealed();
    expect(Buffer.from(one.metadata?.['encoding'] ?? '', 'base64').toString()).toBe('binary/encrypted');
    const { status, body } = await call('/decode', [one, plain]);
    expect(status).toBe(200);
    expect(body.payloads).toEqual([plain, plain]);
  });

  it('answers in the order of the payloads, also none', async () => {
    const many = [1, 2, 3].map((value) => toPayloadJson(defaultPayloadConverter.toPayload(value)));
    const { body } = await call('/encode', many);
    expect((await call('/decode', body.payloads)).body.payloads).toEqual(many);
    expect((await call('/decode', [])).body.payloads).toEqual([]);
    // As Temporal's CLI sends it.
    expect((await call('/decode', undefined)).body.payloads).toEqual([]);
  });

  it('says which key is missing', async () => {
    const other = createPayloadCodec(new Map([['c7', randomBytes(32)]]));
    const [foreign = {}] = await other.encode([defaultPayloadConverter.toPayload('x')]);
    const { status, body } = await call('/decode', [toPayloadJson(foreign)]);
    expect(status).toBe(400);
    expect(body.message).toContain('"c7"');
  });

  it.each([
    ['payloads that are no list', 'all'],
    ['a payload that is no object', ['x']],
  ])('refuses %s', async (_name, payloads) => {
    expect((await call('/decode', payloads)).status).toBe(400);
  });

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['another token', { authorization: `Bearer ${'b'.repeat(40)}` }],
    ['a part of the token', { authorization: `Bearer ${TOKEN.slice(1)}` }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['an invented cookie', { cookie: 'recordwatch_codec=99999999999.x', origin: UI }],
  ])('opens nothing for %s, whatever the body', async (_name, headers) => {
    for (const path of ['/decode', '/encode']) {
      const { status, body } = await call(path, [await sealed()], headers);
      expect(status).toBe(401);
      expect(body).not.toHaveProperty('payloads');
      expect((await call(path, 'nonsense', headers)).status).toBe(401);
    }
  });
});

describe('an operator in a browser', () => {
  it('signs in with the token, and uses Temporal’s UI for twelve hours', async () => {
    const answer = await signIn(TOKEN);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(String(answer.headers['set-cookie'])).not.toContain(TOKEN);
    const one = await sealed();
    const cookie = cookieOf(answer.headers['set-cookie']);
    expect((await call('/decode', [one], { cookie, origin: UI })).body.payloads).toEqual([plain]);
    now += 12 * 3_600_000;
    expect((await call('/decode', [one], { cookie, origin: UI })).status).toBe(401);
  });

  it('is not taken for one by a page of another origin', async () => {
    const cookie = cookieOf((await signIn(TOKEN)).headers['set-cookie']);
    const one = await sealed();
    const others: Record<string, string>[] = [{}, { origin: 'https://evil.example' }, { origin: 'null' }];
    for (const origin of others) {
      expect((await call('/decode', [one], { cookie, ...origin })).status).toBe(401);
    }
  });

  it('gets no cookie without the token', async () => {
    for (const wrong of ['', 'b'.repeat(40), `${TOKEN}a`]) {
      const answer = await signIn(wrong);
      expect(answer.statusCode).toBe(403);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('gets a cookie for https only where they came by it', async () => {
    const answer = await signIn(TOKEN, { 'x-forwarded-proto': 'https' });
    expect(answer.headers['set-cookie']).toMatch(/; Secure$/);
  });

  it('sees a page without scripts that others cannot frame', async () => {
    const answer = await server.inject({ method: 'GET', url: '/' });
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(answer.body).not.toContain('<script');
  });

  const preflight = (origin: string) =>
    server.inject({
      method: 'OPTIONS',
      url: '/decode',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-namespace',
      },
    });

  it('may call from Temporal’s UI and from no other page', async () => {
    const { headers } = await preflight(UI);
    expect(headers).toMatchObject({
      'access-control-allow-origin': UI,
      'access-control-allow-credentials': 'true',
    });
    expect(headers['access-control-allow-headers']).toMatch(/x-namespace/);
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBe(UI);
    const without = buildCodecServer({ ...config, temporalUiUrl: '' }, { log, clock: () => now });
    const answer = await without.inject({
      method: 'POST',
      url: '/decode',
      headers: { ...bearer, origin: UI },
      payload: { payloads: [] },
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    await without.close();
  });
});

describe('the settings', () => {
  it('start none without an address', async () => {
    expect(await startCodecServer(config, log)).toBeUndefined();
  });

  it.each(['TEMPORAL_CODEC_KEYS', 'TEMPORAL_CODEC_TOKEN'])('are refused without %s', async (missing) => {
    const env = {
      TEMPORAL_CODEC_ADDRESS: '127.0.0.1:8088',
      TEMPORAL_CODEC_KEYS: keys,
      TEMPORAL_CODEC_TOKEN: TOKEN,
      [missing]: '',
    };
    await expect(startCodecServer(parseConfig(env), log)).rejects.toThrow(
      'TEMPORAL_CODEC_ADDRESS needs TEMPORAL_CODEC_KEYS and TEMPORAL_CODEC_TOKEN.',
    );
  });
});
