// Requests with invalid tokens are limited by address. Requests with valid ones are not.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { connectNewClient, requestTokens } from '../../support/api/oauth-browser.ts';
import { until } from '../../support/until.ts';

/** For each test, so that its minute of guesses begins with it. */
const useOwnApi = () => useListeningApi({ rateLimits: createRateLimits() });

describe('an address that guesses', async () => {
  const { api, baseUrl } = await useOwnApi();
  it('regression: an address may guess 300 tokens a minute, without blocking a valid one from there', async () => {
    const { clientId, refresh_token } = await connectNewClient(baseUrl, { key: api.fullKey, scope: 'read' });
    const guess = { grant_type: 'refresh_token', client_id: 'nobody', refresh_token: 'x' };
    for (let sent = 0; sent < 300; sent += 1) {
      expect((await requestTokens(baseUrl, guess)).status).toBe(401);
    }
    const refused = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(guess),
    });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      status: 429,
      code: 'rate_limited',
      requestId: refused.headers.get('x-request-id'),
    });
    const right = { grant_type: 'refresh_token', client_id: clientId, refresh_token };
    expect((await requestTokens(baseUrl, right)).status).toBe(200);
  });
});

describe('an address over its limit', async () => {
  const { api, baseUrl } = await useOwnApi();
  it('regression: further guesses of an address are looked up two at a time', async () => {
    const guess = () =>
      requestTokens(baseUrl, {
        grant_type: 'refresh_token',
        client_id: randomBytes(16).toString('base64url'),
        refresh_token: 'x',
      });
    for (let sent = 0; sent < 301; sent += 1) await guess();
    const trx = await api.db.transaction();
    let flood: ReturnType<typeof guess>[] = [];
    try {
      await trx.raw('lock table oauth_objects in access exclusive mode');
      let [arrived, answered] = [0, 0];
      api.app.server.on('request', () => (arrived += 1));
      flood = Array.from({ length: 20 }, () => guess().finally(() => (answered += 1)));
      const waiting = async (): Promise<number> => {
        // pg_locks shows the locks of all databases, and so those of other tests.
        const { rows } = await trx.raw(
          `select count(*)::integer as n from pg_locks
            where not granted
              and relation = 'oauth_objects'::regclass
              and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows[0].n;
      };
      await until('two wait for the table', async () => (await waiting()) >= 2);
      await until('all have arrived', () => arrived === 20);
      await fetch(`${baseUrl}/oauth/jwks`);
      expect(await waiting()).toBe(2);
      expect(answered).toBe(0);
    } finally {
      await trx.rollback();
    }
    const answers = await Promise.all(flood);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
  });
});
