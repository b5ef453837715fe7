// Rate limits with their real numbers: which callers are counted together, what refusals say, and attempts to evade the limits.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { createLogger } from '../../../api/http/logger.ts';
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import { createRateLimits, rateLimitHeaders, type RateLimits } from '../../../api/access/rate-limits.ts';
import type { Principal } from '../../../core/principal.ts';
import { TIERS } from '../../../core/tiers.ts';
import { type Answer, type CallOptions, useApi } from '../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';

const account = (tier: Principal['tier'], accountId = 'acc_1'): Principal => ({
  kind: 'account',
  accountId,
  credentialId: 'key_1',
  scope: 'full',
  tier,
});

describe('counting', () => {
  let limits: RateLimits;
  beforeEach(() => {
    vi.useFakeTimers();
    limits = createRateLimits();
  });
  afterEach(() => vi.useRealTimers());

  it.each(Object.entries(TIERS))(
    'admits on tier %s as many requests as its table says',
    async (tier, { requestsPerMinute }) => {
      const principal = account(tier as Principal['tier']);
      for (let sent = 1; sent <= requestsPerMinute; sent += 1) {
        expect(await limits.countCaller(principal)).toMatchObject({
          limit: requestsPerMinute,
          remaining: requestsPerMinute - sent,
          isExceeded: false,
        });
      }
      expect(await limits.countCaller(principal)).toMatchObject({ remaining: 0, isExceeded: true });
    },
  );

  it('starts again after a minute, however many were refused', async () => {
    for (let sent = 0; sent < 300; sent += 1) await limits.countCaller(account('free'));
    vi.advanceTimersByTime(59_000);
    expect(await limits.countCaller(account('free'))).toMatchObject({ isExceeded: true, resetMs: 1_000 });
    vi.advanceTimersByTime(1_001);
    expect(await limits.countCaller(account('free'))).toMatchObject({ isExceeded: false, remaining: 119 });
  });

  it('separates accounts, and counts all keys of one together', async () => {
    await limits.countCaller(account('free'));
    const record: Principal = {
      ...account('free'),
      kind: 'record',
      recordId: 'src_1',
      credentialId: 'key_2',
      scope: 'read',
    };
    expect(await limits.countCaller(record)).toMatchObject({ policy: 'account', remaining: 118 });
    expect(await limits.countCaller(account('free', 'acc_2'))).toMatchObject({ remaining: 119 });
  });

  it('separates sessions', async () => {
    const session = (credentialId: string): Principal => ({
      ...account('anonymous'),
      kind: 'ephemeral',
      recordId: 'src_1',
      credentialId,
      scope: 'full',
    });
    await limits.countCaller(session('ses_1'));
    expect(await limits.countCaller(session('ses_1'))).toMatchObject({ policy: 'session', remaining: 58 });
    expect(await limits.countCaller(session('ses_2'))).toMatchObject({ policy: 'session', remaining: 59 });
  });

  it('does not count requests that returned nothing new, up to a limit', async () => {
    const { requestsPerMinute } = TIERS.free;
    for (let sent = 0; sent < requestsPerMinute * 10; sent += 1) {
      expect(await limits.countCaller(account('free'))).toMatchObject({ isExceeded: false });
      expect(await limits.release(account('free'))).toMatchObject({ remaining: requestsPerMinute });
    }
    await limits.countCaller(account('free'));
    expect(await limits.release(account('free'))).toMatchObject({ remaining: requestsPerMinute - 1 });
  });

  it('keeps at most as many addresses in memory as it has groups', async () => {
    const before = vi.getTimerCount();
    for (let n = 0; n < 100_000; n += 1)
      await limits.countFailure(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    // Each entry has one timer.
    expect(vi.getTimerCount() - before).toBeLessThanOrEqual(65_536);
    expect(vi.getTimerCount() - before).toBeGreaterThan(40_000);
  });

  it('forgets callers after a minute', async () => {
    const before = vi.getTimerCount();
    for (let n = 0; n < 100; n += 1) await limits.countCaller(account('free', `acc_${n}`));
    expect(vi.getTimerCount() - before).toBe(100);
    vi.advanceTimersByTime(60_001);
    expect(vi.getTimerCount()).toBe(before);
  });
});

it('sends the fields of draft-ietf-httpapi-ratelimit-headers-10, and the usual ones', () => {
  const allowance = {
    policy: 'account',
    limit: 600,
    remaining: 594,
    resetMs: 11_200,
    isExceeded: false,
  } as const;
  expect(rateLimitHeaders(allowance, 1_767_225_600_000)).toEqual({
    'ratelimit-policy': '"account";q=600;w=60',
    ratelimit: '"account";r=594;t=12',
    'x-ratelimit-limit': '600',
    'x-ratelimit-remaining': '594',
    'x-ratelimit-reset': '1767225612',
  });
});

const api = useApi({}, { rateLimits: createRateLimits() });

/** Creates a caller with a new account, which has its own limits. */
async function newCaller(): Promise<{ accountId: string; key: string }> {
  const accountId = await createAccount(api.db);
  return { accountId, key: (await createKey(api.db, accountId, 'full')).value };
}

/** Sends requests until one is refused. @returns how many were admitted, and the refusal */
async function exhaust(send: () => Promise<Answer>): Promise<{ answered: number; refusal: Answer }> {
  for (let answered = 0; answered < 1_000; answered += 1) {
    const answer = await send();
    if (answer.status === 429) return { answered, refusal: answer };
  }
  throw new Error('Never refused');
}

/** Like api.call, from an address. */
async function callFrom(
  remoteAddress: string,
  url: string,
  options: CallOptions = {},
  app = api.app,
): Promise<Answer> {
  const { key = api.fullKey, headers = {} } = options;
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const response = await app.inject({
    method: 'GET',
    url,
    remoteAddress,
    headers: { ...authorization, ...headers },
  });
  const { statusCode: status, body: text } = response;
  return { status, text, headers: response.headers, body: JSON.parse(text) };
}

describe('a caller', () => {
  it('is refused beyond the limit of the tier, and told when to retry', async () => {
    const { key } = await newCaller();
    const first = await api.call('GET', '/v1/sources?limit=1', { key });
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"account";q=120;w=60',
      ratelimit: expect.stringMatching(/^"account";r=119;t=(60|59)$/),
      'x-ratelimit-limit': '120',
      'x-ratelimit-remaining': '119',
    });
    const { answered, refusal } = await exhaust(() => api.call('GET', '/v1/sources?limit=1', { key }));
    expect(answered).toBe(119);
    expect(refusal.body.code).toBe('rate_limited');
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refusal.headers['x-ratelimit-remaining']).toBe('0');
    const { value: sibling } = await createKey(api.db, await createAccount(api.db), 'read');
    expect((await api.call('GET', '/v1/sources?limit=1', { key: sibling })).status).toBe(200);
  });

  it('has the limit of its highest tier', async () => {
    const { accountId, key } = await newCaller();
    await createTestRecord(api.db, accountId, { tier: 'watch' });
    const { headers } = await api.call('GET', '/v1/sources', { key });
    expect(headers['ratelimit-policy']).toBe('"account";q=600;w=60');
  });

  it('is counted for refused requests too', async () => {
    const { accountId } = await newCaller();
    const { value: key } = await createKey(api.db, accountId, 'download');
    const remaining = async (options: CallOptions, path: string): Promise<[number, string | undefined]> => {
      const { status, headers } = await api.call('POST', path, { key, ...options });
      return [status, headers['x-ratelimit-remaining'] as string | undefined];
    };
    expect(await remaining({ body: {} }, '/v1/sources')).toEqual([403, '119']);
    const { value: full } = await createKey(api.db, accountId, 'full');
    expect(await remaining({ key: full, body: '{' }, '/v1/sources')).toEqual([400, '118']);
    expect(await remaining({ key: full, body: {} }, '/v1/sources')).toEqual([422, '117']);
    expect(await remaining({ key: full }, '/v1/sources/none/check')).toEqual([404, '116']);
  });

  it('is not charged for a 304', async () => {
    const { accountId, key } = await newCaller();
    const id = await createTestRecord(api.db, accountId, { tier: 'free' });
    await commitRows(api.db, id, { a: '{"p":1}' });
    const path = `/v1/sources/${id}/delta/latest`;
    const { headers } = await api.call('GET', path, { key });
    const again = await api.call('GET', path, { key, headers: { 'if-none-match': String(headers['etag']) } });
    expect(again.status).toBe(304);
    expect(again.headers['x-ratelimit-remaining']).toBe('119');
    expect((await api.call('GET', path, { key })).headers['x-ratelimit-remaining']).toBe('118');
  });

  it('regression: is charged for a 304 that any content would have got', async () => {
    const { accountId, key } = await newCaller();
    await createTestRecord(api.db, accountId, { tier: 'free' });
    const headers = { 'if-none-match': ' *' };
    const answer = await api.call('GET', '/v1/sources', { key, headers });
    expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([304, '119']);
    const again = await api.call('GET', '/v1/sources', { key, headers });
    expect(again.headers['x-ratelimit-remaining']).toBe('118');
  });

  it('of a session is counted separately', async () => {
    const body = { url: 'https://sessions.example/data.csv' };
    const { body: session } = await api.call('POST', '/v1/sessions', { key: null, body });
    const { headers } = await api.call('GET', '/v1/sessions/self', { key: session.token });
    expect(headers['ratelimit-policy']).toBe('"session";q=60;w=60');
  });
});

describe('an address', () => {
  const unknown = 'cat_live_00000000000000000000000000000000000000';

  it('regression: with many failed credentials is told to wait, and valid ones from there are admitted', async () => {
    let queries = 0;
    api.db.on('query', () => void (queries += 1));
    const { answered, refusal } = await exhaust(() => callFrom('192.0.2.1', '/v1/sources', { key: unknown }));
    expect(answered).toBe(300);
    expect(refusal.body.code).toBe('rate_limited');
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // Its checksum is wrong, so no statement looks it up.
    expect(queries).toBe(0);
    api.db.removeAllListeners('query');
    expect((await callFrom('192.0.2.1', '/v1/sources')).status).toBe(200);
    const mcp = await api.app.inject({
      method: 'POST',
      url: '/v1/mcp',
      remoteAddress: '192.0.2.1',
      headers: { authorization: `Bearer ${api.fullKey}`, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(mcp.statusCode).toBe(200);
  });

  it('regression: is admitted with a valid key during a flood of wrong ones, which are looked up two at a time', async () => {
    await exhaust(() => callFrom('192.0.2.7', '/v1/sources', { key: unknown }));
    const flood = Array.from({ length: 200 }, () =>
      callFrom('192.0.2.7', '/v1/sources', { key: mintApiKey('account').value }),
    );
    const right = callFrom('192.0.2.7', '/v1/sources');
    expect((await right).status).toBe(200);
    const answers = await Promise.all(flood);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
  });

  it('may send as many requests as its accounts may once they are admitted', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { key } = await newCaller();
      for (let sent = 0; sent < 110; sent += 1) {
        expect((await callFrom('192.0.2.3', '/v1/sources?limit=1', { key })).status).toBe(200);
      }
    }
  });

  it('of IPv6 is the network of one customer', async () => {
    await exhaust(() => callFrom('2001:db8:1:1::1', '/v1/sources', { key: null }));
    expect((await callFrom('2001:db8:1:1:ffff::2', '/v1/sources', { key: null })).status).toBe(429);
    expect((await callFrom('2001:db8:1:2::1', '/v1/sources', { key: null })).status).toBe(401);
  });

  it('may call public operations up to a limit', async () => {
    const { answered, refusal } = await exhaust(async () => {
      const response = await api.app.inject({
        method: 'POST',
        url: '/v1/sessions',
        remoteAddress: '192.0.2.4',
      });
      return {
        status: response.statusCode,
        body: response.json(),
        text: response.body,
        headers: response.headers,
      };
    });
    expect(answered).toBe(120);
    expect(refusal.headers['ratelimit-policy']).toBe('"address";q=120;w=60');
    expect(refusal.body.code).toBe('rate_limited');
  });

  it('is not taken from X-Forwarded-For, unless a trusted proxy sends it', async () => {
    for (let n = 0; n < 300; n += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${n % 250}` };
      expect((await callFrom('192.0.2.5', '/v1/sources', { key: null, headers })).status).toBe(401);
    }
    expect((await callFrom('192.0.2.5', '/v1/sources', { key: null })).status).toBe(429);
  });

  it('behind trusted proxies is the last one that is not a proxy', async () => {
    const { services } = api;
    const trustedProxies = ['10.0.0.0/8', '192.0.2.100/32'];
    const app = buildApp({ ...services, config: { ...services.config, trustedProxies } });
    const via = (proxy: string, forwarded: string, key: string | null): Promise<Answer> =>
      callFrom(proxy, '/v1/sources', { key, headers: { 'x-forwarded-for': forwarded } }, app);
    // Callers can forge all entries to the left of their own address.
    for (let n = 0; n < 300; n += 1) {
      const chain = `198.51.100.${n % 250}, 203.0.113.7, 10.1.1.1`;
      expect((await via('192.0.2.100', chain, null)).status).toBe(401);
    }
    expect((await via('10.9.9.9', '198.51.100.1, 203.0.113.7', null)).status).toBe(429);
    expect((await via('10.9.9.9', '203.0.113.7, 198.51.100.1', null)).status).toBe(401);
    const direct = { key: null, headers: { 'x-forwarded-for': '198.51.100.9' } };
    expect((await callFrom('203.0.113.7', '/v1/sources', direct, app)).status).toBe(429);
    await app.close();
  });
});

it('logs once that a peer is not trusted, and logs nothing about a trusted one', async () => {
  const lines: string[] = [];
  const warnings = () => lines.filter((line) => line.includes('TRUSTED_PROXIES'));
  const { services } = api;
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const app = buildApp({ ...services, log, config: { ...services.config, trustedProxies: ['10.0.0.0/8'] } });
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await callFrom('10.0.0.1', '/v1/sources', { headers }, app);
  await callFrom('192.0.2.8', '/v1/sources', {}, app);
  expect(warnings()).toEqual([]);
  for (let n = 0; n < 3; n += 1) await callFrom('192.0.2.8', '/v1/sources', { headers }, app);
  expect(warnings()).toEqual([expect.stringContaining('"peer":"192.0.2.8"')]);
  await app.close();
});

it('two processes count separately', async () => {
  const { key } = await newCaller();
  const other = buildApp(api.services);
  await callFrom('192.0.2.6', '/v1/sources', { key });
  const { headers } = await callFrom('192.0.2.6', '/v1/sources', { key }, other);
  expect(headers['x-ratelimit-remaining']).toBe('119');
  await other.close();
});
