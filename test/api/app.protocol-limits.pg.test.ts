// Requests that are too large, too deep, too many or hostile: the refusal explains itself, is bounded, and never repeats much.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../core/errors.ts';
import { problemOf } from '../../api/contract/errors.ts';
import { useApi } from '../support/api/api.ts';
import { createTestRecord } from '../support/rows/factories.ts';

const api = useApi();
const url = 'https://example.com/data.csv';

const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);

describe('a body', () => {
  it('nests no deeper than 64 levels', async () => {
    const most = await api.call('POST', '/v1/sources', { body: nested(64) });
    expect(most.body).toMatchObject({ status: 422, code: 'validation_failed' });
    for (const body of [nested(65), nested(30_000), '['.repeat(60_000) + ']'.repeat(60_000)]) {
      const answer = await api.call('POST', '/v1/sources', { body });
      expect(answer.body).toMatchObject({ status: 400, code: 'malformed_json' });
      expect(answer.text.length).toBeLessThan(600);
    }
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'x-unknown', 'identity, gzip', 'GZIP'])(
    'in the encoding %s is refused',
    async (encoding) => {
      const response = await api.app.inject({
        method: 'POST',
        url: '/v1/sources',
        headers: {
          authorization: `Bearer ${api.fullKey}`,
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        payload: gzipSync(JSON.stringify({ url })),
      });
      expect(response.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' });
      expect(response.headers['accept-encoding']).toBe('identity');
    },
  );

  it('may say that it is not encoded', async () => {
    const headers = { 'content-encoding': 'identity' };
    expect((await api.call('POST', '/v1/sources', { body: { url }, headers })).status).toBe(201);
  });

  it.each([
    ['{"__proto__":{"isAdmin":true},"url":"https://example.com/"}', '/__proto__'],
    ['{"\\u005f_proto__":{},"url":"https://example.com/"}', '/__proto__'],
    ['{"constructor":{"prototype":{"isAdmin":true}},"url":"https://example.com/"}', '/constructor'],
    ['{"toString":1,"url":"https://example.com/"}', '/toString'],
    ['{"hasOwnProperty":1,"url":"https://example.com/"}', '/hasOwnProperty'],
  ])('%s has an unknown field like any other', async (body, pointer) => {
    const answer = await api.call('POST', '/v1/sources', { body });
    expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer, code: 'unknown_field' }] });
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
  });

  it('with a repeated member uses the last one', async () => {
    const body = `{"url":"http://127.0.0.1/","url":"${url}","name":"a","name":"b"}`;
    const answer = await api.call('POST', '/v1/sources', { body });
    expect(answer.body).toMatchObject({ url, name: 'b' });
  });

  it('with very many or very long unknown fields gets an answer of bounded size', async () => {
    const many = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`f${n}`, 1]));
    for (const body of [many, { ['x'.repeat(200_000)]: 1 }, { ['😀'.repeat(50_000)]: 1 }]) {
      const answer = await api.call('POST', '/v1/sources', { body: { url, ...body } });
      expect(answer.status).toBe(422);
      expect(answer.text.length).toBeLessThan(20_000);
      expect(answer.body.errors.length).toBeLessThanOrEqual(100);
      expect(answer.text.isWellFormed()).toBe(true);
    }
  });
});

it('a problem is truncated between characters, and says so', () => {
  const errors = [{ pointer: `/${'😀'.repeat(400)}`, code: 'c', detail: 'd'.repeat(5_000) }];
  const problem = problemOf(
    new ApiError('validation_failed', 'm'.repeat(5_000), { errors }),
    'id',
    'http://x',
  );
  expect(problem.detail).toHaveLength(1_000);
  expect(problem.errors?.[0]?.pointer.length).toBe(300);
  expect(problem.errors?.[0]?.pointer.isWellFormed()).toBe(true);
  expect(problem.errors?.[0]?.detail.endsWith('…')).toBe(true);
  expect(problemOf(new ApiError('not_found', 'm'.repeat(1_000)), 'id', 'http://x').detail).not.toContain('…');
});

describe('a query', () => {
  it('of very many parameters gets an answer of bounded size', async () => {
    const text = Array.from({ length: 2_000 }, (_, n) => `p${n}=1`).join('&');
    const answer = await api.call('GET', `/v1/sources?${text}`);
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(answer.body.errors.length).toBeLessThanOrEqual(100);
    const twice = await api.call('GET', `/v1/sources?${'limit=1&'.repeat(2_000)}`);
    expect(twice.body.code).toBe('invalid_parameter');
  });

  it.each([
    '__proto__=1',
    '__proto__[x]=1',
    'constructor=1',
    'toString=1',
    '%00=1',
    '=1',
    'limit[]=1',
    'limit=1;order=asc',
  ])('%s is refused', async (text) => {
    expect((await api.call('GET', `/v1/sources?${text}`)).body.code).toBe('invalid_parameter');
  });
});

describe('headers', () => {
  it('of a response cannot be injected by a request', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const crlf = '%0d%0aX-Injected:%201';
    for (const path of [
      `/v1/sources/${id}${crlf}`,
      `/v1/sources/${id}/delta?cursor=${crlf}`,
      `/v1/${crlf}`,
      `/v1/sources?${crlf}=1`,
    ]) {
      const { headers } = await api.call('GET', path, { headers: { prefer: 'wait=5, x=y' } });
      expect(headers['x-injected']).toBeUndefined();
      expect(JSON.stringify(headers)).not.toMatch(/\\r|\\n/);
    }
  });

  it('of every response stop browsers from treating it as anything but data', async () => {
    for (const path of ['/v1/sources', '/v1/sources/none', '/v1/nothing', '/v1/sources/%zz', '/healthz']) {
      const { headers } = await api.app.inject({ url: path });
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(headers['strict-transport-security']).toBeUndefined();
      expect(headers['server'] ?? headers['x-powered-by']).toBeUndefined();
    }
  });
});

describe('behind https', () => {
  const secure = useApi({ baseUrl: 'https://api.example' });

  it('browsers are told to keep using https', async () => {
    const { headers } = await secure.call('GET', '/v1/sources');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

describe('methods', () => {
  it('that no path accepts are 405, without a credential and without counting', async () => {
    for (const method of ['PUT', 'TRACE', 'DELETE', 'PATCH'] as const) {
      const response = await api.app.inject({ method: method as 'PUT', url: '/v1/sources' });
      expect(response.statusCode).toBe(405);
      expect(response.headers['allow']).toBe('GET, HEAD, POST');
      expect(response.headers['ratelimit']).toBeUndefined();
    }
  });

  it('HEAD of an error has its status and headers, and no body', async () => {
    const { status, text, headers } = await api.call('HEAD', '/v1/sources/none');
    expect([status, text]).toEqual([404, '']);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });
});

it('says when to retry if the error knows', async () => {
  const id = await createTestRecord(api.db, api.accountId);
  const { requestCheck } = api.workflows;
  api.workflows.requestCheck = () =>
    Promise.reject(new ApiError('rate_limited', 'Enough.', { retryAfterSeconds: 12.3 }));
  const limited = await api.call('POST', `/v1/sources/${id}/check`);
  api.workflows.requestCheck = () => Promise.reject(new ApiError('unavailable', 'Away.'));
  const away = await api.call('POST', `/v1/sources/${id}/check`);
  api.workflows.requestCheck = requestCheck;
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '13']);
  expect([away.status, away.headers['retry-after']]).toEqual([503, '5']);
});
