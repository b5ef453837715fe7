// A deprecated operation, declared by this test: every answer announces its end.
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { defineOperation } from '../../../api/contract/operation.ts';
import { ApiError } from '../../../core/errors.ts';
import { useApi } from '../../support/api/api.ts';

const shared = { tag: 'Records', scope: 'read', summary: 'Try something out' } as const;

const old = defineOperation({
  ...shared,
  name: 'old',
  errors: ['conflict'],
  deprecated: {
    since: new Date('2026-01-01T00:00:00Z'),
    sunset: new Date('2026-12-31T23:59:59Z'),
    link: 'https://example.com/instead?a=1',
  },
  http: { method: 'GET', path: '/v1/old' },
  query: { fail: Type.Optional(Type.Boolean()) },
  output: Type.Object({ is: Type.String() }),
  async run(_ctx, { fail }) {
    if (fail === true) throw new ApiError('conflict', 'Asked for.');
    return { is: 'old' };
  },
});

const current = defineOperation({
  ...shared,
  name: 'current',
  http: { method: 'GET', path: '/v1/current' },
  output: Type.Object({}),
  run: async () => ({}),
});

const api = useApi({}, { operations: [old, current] });

const get = (url: string, key: string | null = api.fullKey) =>
  api.app.inject({ url, headers: key === null ? {} : { authorization: `Bearer ${key}` } });

const TOLD = {
  deprecation: '@1767225600',
  sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
  link: '<https://example.com/instead?a=1>; rel="deprecation"; type="text/html"',
};

it.each([
  ['/v1/old', 200],
  ['/v1/old?fail=true', 409],
  ['/v1/old?unknown=1', 400],
])('interface 9: %s announces with its %i that it will end, and when', async (url, status) => {
  const answer = await get(url);
  expect(answer.statusCode).toBe(status);
  expect(answer.headers).toMatchObject(TOLD);
});

it('is sent without a credential, and with a 304', async () => {
  const stranger = await get('/v1/old', null);
  expect([stranger.statusCode, stranger.headers['deprecation']]).toEqual([401, TOLD.deprecation]);
  const authorization = `Bearer ${api.fullKey}`;
  const again = await api.app.inject({ url: '/v1/old', headers: { authorization, 'if-none-match': '*' } });
  expect([again.statusCode, again.headers['sunset']]).toEqual([304, TOLD.sunset]);
});

it('is sent for no other operation', async () => {
  const { headers, statusCode } = await get('/v1/current');
  expect(statusCode).toBe(200);
  for (const name of Object.keys(TOLD)) expect(headers[name]).toBeUndefined();
});

it('a table of operations given to a test is complete', async () => {
  expect((await get('/v1/sources')).statusCode).toBe(404);
});
