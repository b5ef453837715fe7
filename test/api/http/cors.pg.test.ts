// CORS: the calls that browsers may make from pages of other origins.
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import { useApi } from '../../support/api/api.ts';
import { createTestRecord } from '../../support/rows/factories.ts';

const api = useApi();
const origin = 'https://app.example';
let id = '';

beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId);
});

const preflight = (url: string, method: string, headers = 'authorization') =>
  api.app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    },
  });

describe('a preflight', () => {
  it.each(OPERATIONS.map(({ name, http }) => [name, http] as const))(
    'of %s is answered without a credential',
    async (_, { method, path }) => {
      const { statusCode, headers, body } = await preflight(path.replaceAll(/:\w+/g, 'x'), method);
      expect([statusCode, body]).toEqual([204, '']);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(String(headers['access-control-allow-methods']).split(', ')).toContain(method);
      expect(headers['access-control-max-age']).toBe('7200');
      expect(headers['x-request-id']).toBeDefined();
    },
  );

  it('allows the headers that the API reads', async () => {
    const { headers } = await preflight('/v1/sources', 'POST');
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
    for (const name of [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-none-match',
      'prefer',
      'x-request-id',
    ]) {
      expect(allowed).toContain(name);
    }
  });

  it('of /v1/mcp is answered for our own pages only', async () => {
    const { headers } = await preflight('/v1/mcp', 'POST');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    ['/v1/mcp/', 404],
    ['/v1/nothing', 404],
    ['/', 204],
    ['/healthz', 204],
    ['/docs', 204],
    ['/docs/errors', 204],
    ['/dashboard/', 204],
    ['/auth/token', 204],
    ['/oauth/authorize', 204],
  ])('of %s permits nothing to pages', async (path, status) => {
    const { statusCode, headers } = await preflight(path, 'POST');
    expect(statusCode).toBe(status);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('an answer', () => {
  it('may be read from any page, with the headers that a client needs', async () => {
    const { headers } = await api.call('GET', `/v1/sources/${id}`, { headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
    const safelisted = ['cache-control', 'content-length', 'content-type', 'date'];
    const internal = [
      'connection',
      'vary',
      'content-security-policy',
      'referrer-policy',
      'x-content-type-options',
    ];
    const sent = Object.keys(headers).filter((name) => !name.startsWith('access-control'));
    expect(sent.filter((name) => ![...exposed, ...safelisted, ...internal].includes(name))).toEqual([]);
  });

  it('may be read if it is an error', async () => {
    for (const [key, url, body] of [
      [null, '/v1/sources', undefined],
      [api.fullKey, '/v1/sources/none', undefined],
      [api.fullKey, '/v1/sources', '{'],
    ] as const) {
      const { headers, status } = await api.call(body === undefined ? 'GET' : 'POST', url, { key, body });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers['access-control-allow-origin']).toBe('*');
    }
  });

  it('does not depend on the page’s origin, so caches need not vary by it', async () => {
    for (const headers of [{}, { origin }, { origin: 'null' }]) {
      const answer = await api.call('GET', `/v1/sources/${id}`, { headers });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['vary']).toBeUndefined();
    }
  });
});

it('OPTIONS without an Origin lists the methods', async () => {
  const { statusCode, headers } = await api.app.inject({ method: 'OPTIONS', url: `/v1/sources/${id}` });
  expect(statusCode).toBe(204);
  expect(headers['allow']).toBe('GET, HEAD, PATCH, DELETE');
});
