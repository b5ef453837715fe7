// Ephemeral sessions over the API: the powers of a token, what is left of them, keeping, and the limits of anonymous use.
import { describe, expect, it } from 'vitest';
import {
  EXTRA_CHECKS_PER_HOUR,
  RECORDS_PER_HOST,
  SESSIONS_PER_DAY,
  SESSIONS_PER_HOUR,
} from '../../../../api/access/usage-limits.ts';
import { SITE_FACTOR } from '../../../../core/network/caller-address.ts';
import { parseConfig } from '../../../../core/config.ts';
import { mintApiKey } from '../../../../core/crypto/api-key.ts';
import {
  countOpenSessions,
  endSessionInTime,
  insertSession,
} from '../../../../db/access/ephemeral-sessions.ts';
import { findRecord, markRecordDeleted } from '../../../../db/records/records.ts';
import { eraseSomeOfRecord } from '../../../../db/upkeep/retention.ts';
import { takeOne } from '../../../../db/usage/usage-counters.ts';
import { type Answer, useApi } from '../../../support/api/api.ts';
import { newSession } from '../../../support/rows/new-session.ts';
import {
  commitRows,
  createAccount,
  createKey,
  createTestRecord,
  newTestId,
} from '../../../support/rows/factories.ts';
import { countLines } from '../../../db/factories.ts';

const api = useApi();

/** A new caller each time, so that no test uses up the limits of another. */
let callers = 0;
function nextAddress(): string {
  callers += 1;
  return `198.51.100.${callers}`;
}

async function post(body: unknown, address = nextAddress()): Promise<Answer> {
  const response = await api.app.inject({
    method: 'POST',
    url: '/v1/sessions',
    remoteAddress: address,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  const { statusCode: status, body: text, headers } = response;
  return { status, text, headers, body: JSON.parse(text) };
}

interface Session {
  token: string;
  id: string;
  slug: string;
}

async function openSession(body: Record<string, unknown> = {}): Promise<Session> {
  const { status, body: made, text } = await post({ url: 'https://example.com/prices.csv', ...body });
  if (status !== 201) throw new Error(text);
  return { token: made.token, id: made.source.id, slug: made.source.slug };
}

const endNow = (recordId: string) =>
  api.db('ephemeral_sessions').where({ recordId }).update({ expiresAt: api.db.fn.now() });

describe('POST /v1/sessions', () => {
  it('interface 2.2: gives a token with the prefix cat_eph_ for one anonymous record, for 24 hours', async () => {
    const { status, body, headers } = await post({ url: 'https://example.com/a.csv', name: 'Prices of A' });
    expect(status).toBe(201);
    expect(headers['cache-control']).toContain('no-store');
    expect(body.token).toMatch(/^cat_eph_[0-9A-Za-z]{36}$/);
    expect(body.mcpUrl).toBe(`http://localhost:8080/v1/mcp?token=${body.token}`);
    expect(body.source).toMatchObject({ tier: 'anonymous', name: 'Prices of A', slug: 'prices-of-a' });
    const hours = (Date.parse(body.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    expect(api.workflows.calls).toContainEqual({ name: 'created', id: body.source.id });
  });

  it('needs no credential and stores no token', async () => {
    const { token } = await openSession();
    for (const table of Object.keys(await countLines(api.db))) {
      expect(JSON.stringify(await api.db(table))).not.toContain(token);
    }
    expect(api.logLines.join('')).not.toContain(token);
  });

  it('refuses an invalid record before anything is counted or created', async () => {
    const before = await countLines(api.db);
    expect((await post({ url: 'http://127.0.0.1/' })).body.code).toBe('url_not_allowed');
    expect((await post({ url: 'https://example.com/', checkIntervalMinutes: 1 })).status).toBe(422);
    expect((await post({ url: 'https://example.com/', tier: 'max' })).status).toBe(422);
    expect((await post({ url: 'https://example.com/', authType: 'bearer' })).status).toBe(422);
    expect(await countLines(api.db)).toEqual(before);
  });
});

describe('an ephemeral token', () => {
  it('interface 5: possession of the token is control of its record, by id, slug and self', async () => {
    const { token: key, id, slug } = await openSession();
    await commitRows(api.db, id, { a: '{"id":"a"}' });
    for (const reference of [id, slug, 'self']) {
      expect((await api.call('GET', `/v1/sources/${reference}`, { key })).body.id).toBe(id);
    }
    const { body } = await api.call('GET', '/v1/sources', { key });
    expect(body.sources.map((source: { id: string }) => source.id)).toEqual([id]);
    expect((await api.call('GET', '/v1/sources/self/delta/latest', { key })).status).toBe(200);
    expect((await api.call('PATCH', '/v1/sources/self', { key, body: { name: 'Mine' } })).body.name).toBe(
      'Mine',
    );
    expect((await api.call('POST', '/v1/sources/self/pause', { key })).body.status).toBe('paused');
    expect((await api.call('POST', '/v1/sources/self/resume', { key })).body.status).toBe('active');
  });

  it('cannot access other records, and no other credential can access its own', async () => {
    const { token: key, id } = await openSession();
    const other = await createTestRecord(api.db, api.accountId);
    expect((await api.call('GET', `/v1/sources/${other}`, { key })).status).toBe(404);
    expect((await api.call('GET', `/v1/sources/${id}`)).status).toBe(404);
    const list = await api.call('GET', '/v1/sources?limit=200');
    expect(list.text).not.toContain(id);
  });

  it('has no keys and no webhooks (402), and creates no other records (403)', async () => {
    const { token: key } = await openSession();
    const webhook = { url: 'https://example.com/hook' };
    expect((await api.call('POST', '/v1/sources/self/webhooks', { key, body: webhook })).status).toBe(402);
    expect((await api.call('GET', '/v1/sources/self/webhooks', { key })).status).toBe(402);
    const newKey = { name: 'k', scope: 'read' };
    expect((await api.call('POST', '/v1/sources/self/apikeys', { key, body: newKey })).status).toBe(402);
    const record = { url: 'https://example.com/' };
    expect((await api.call('POST', '/v1/sources', { key, body: record })).status).toBe(403);
  });

  it('interface 3: its powers end at the end of the session, by the database’s clock', async () => {
    const { token: key, id } = await openSession();
    await endNow(id);
    const { status, body } = await api.call('GET', '/v1/sources/self', { key });
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  });

  it('ends when it deletes its record', async () => {
    const { token: key, id } = await openSession();
    expect((await api.call('DELETE', '/v1/sources/self', { key })).status).toBe(204);
    expect((await api.call('GET', '/v1/sources/self', { key })).status).toBe(401);
    while (!(await eraseSomeOfRecord(api.db, id, 10)));
    expect(await api.db('ephemeral_sessions').where({ recordId: id })).toEqual([]);
  });

  it(`gets ${EXTRA_CHECKS_PER_HOUR} checks an hour beyond those of its interval`, async () => {
    const { token: key, id } = await openSession();
    await takeMany(`extra-checks ${id}`, EXTRA_CHECKS_PER_HOUR - 2);
    expect((await api.call('POST', '/v1/sources/self/check', { key })).status).toBe(202);
    const body = { url: 'https://example.com/b.csv' };
    expect((await api.call('PATCH', '/v1/sources/self', { key, body })).status).toBe(200);
    const refused = await api.call('POST', '/v1/sources/self/check', { key });
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await api.call('PATCH', '/v1/sources/self', { key, body })).status).toBe(429);
    expect((await api.call('PATCH', '/v1/sources/self', { key, body: { name: 'x' } })).status).toBe(200);
  });

  it('regression: gets no more of them by pausing and resuming', async () => {
    const { token: key, id } = await openSession();
    const ask = (what: string) => api.call('POST', `/v1/sources/self/${what}`, { key });
    await takeMany(`extra-checks ${id}`, EXTRA_CHECKS_PER_HOUR - 1);
    expect((await ask('resume')).status).toBe(200);
    for (const expected of [200, 429]) {
      expect((await ask('pause')).status).toBe(200);
      expect((await ask('resume')).status).toBe(expected);
    }
    expect((await findRecord(api.db, id))?.status).toBe('paused');
    expect(await api.db('usage_counters').where({ subject: `extra-checks ${id}` })).toMatchObject([
      { used: EXTRA_CHECKS_PER_HOUR },
    ]);
  });
});

describe('GET /v1/sessions/self', () => {
  it('interface 8: says what is left: time, and 50 MCP tool calls', async () => {
    const { token: key, id } = await openSession();
    const [session] = await api.db('ephemeral_sessions').where({ recordId: id });
    await takeMany(`mcp-calls ${session.id}`, 3, 'ever');
    const { status, body } = await api.call('GET', '/v1/sessions/self', { key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ source: { id }, mcpCalls: { limit: 50, used: 3, left: 47 } });
    expect(body.secondsLeft).toBeGreaterThan(86_000);
    expect(body.secondsLeft).toBeLessThanOrEqual(86_400);
    expect(body.expiresAt).toBe(session.expiresAt.toISOString());
  });

  it('is 404 for any other credential', async () => {
    expect((await api.call('GET', '/v1/sessions/self')).status).toBe(404);
    expect((await api.call('GET', '/v1/sessions/self', { key: null })).status).toBe(401);
  });
});

async function takeMany(subject: string, count: number, period: 'hour' | 'day' | 'ever' = 'hour') {
  for (let at = 0; at < count; at += 1) await takeOne(api.db, subject, period, count);
}

const keep = (reference: string, body: Record<string, unknown>, key?: string) =>
  api.call('POST', `/v1/sources/${reference}/keep`, { body, ...(key === undefined ? {} : { key }) });

describe('POST /v1/sources/:id/keep', () => {
  it('moves the record with its history, and the token ends with the response', async () => {
    const { token, id, slug } = await openSession({ name: 'Kept with history' });
    await commitRows(api.db, id, { a: '{"id":"a","price":"1"}' });
    await commitRows(api.db, id, { a: '{"id":"a","price":"2"}' });
    const events = (await api.call('GET', '/v1/sources/self/delta', { key: token })).body.events;
    const throwaway = (await findRecord(api.db, id))?.accountId ?? '';
    const { status, body } = await keep('self', { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, slug, tier: 'free', name: 'Kept with history', totalRows: 1 });
    expect((await api.call('GET', '/v1/sources/self', { key: token })).status).toBe(401);
    expect((await api.call('GET', `/v1/sources/${slug}/delta`)).body.events).toEqual(events);
    const rows = await api.call('GET', `/v1/sources/${id}/delta/${events[0].id}/rows`);
    expect(rows.body.rows).toMatchObject([{ key: 'a', before: { price: '1' }, after: { price: '2' } }]);
    expect(api.workflows.calls.at(-1)).toEqual({ name: 'settingsChanged', id });
    expect(await api.db('ephemeral_sessions').where({ recordId: id })).toEqual([]);
    expect(await api.db('accounts').where({ id: throwaway })).toEqual([]);
  });

  it('accepts id, slug or self, a new name and a new slug', async () => {
    for (const reference of ['self', 'id', 'slug'] as const) {
      const session = await openSession({ name: `By ${reference}` });
      const named = reference === 'self' ? 'self' : session[reference];
      const wish = { name: `Kept by ${reference}`, slug: `kept-by-${reference}` };
      const { status, body } = await keep(named, { token: session.token, ...wish });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: session.id, ...wish });
    }
  });

  it('adds a suffix to a slug that the account uses, and refuses a requested one', async () => {
    await createTestRecord(api.db, api.accountId, { slug: 'twice-kept' });
    const { token } = await openSession({ name: 'Twice kept' });
    const taken = await keep('self', { token, slug: 'twice-kept' });
    expect([taken.status, taken.body.errors[0].code]).toEqual([409, 'taken']);
    expect((await keep('self', { token, slug: 'latest' })).status).toBe(422);
    expect((await keep('twice-kept', { token })).body.slug).toMatch(/^twice-kept-[0-9a-z]{4}$/);
  });

  it('reveals nothing about tokens that are unknown, expired, or of another record', async () => {
    const { token, id } = await openSession();
    const over = await openSession();
    await endNow(over.id);
    const deleted = await openSession();
    await markRecordDeleted(api.db, deleted.id);
    const attempts = [
      await keep('self', { token: mintApiKey('ephemeral').value }),
      await keep('self', { token: over.token }),
      await keep('self', { token: deleted.token }),
      await keep(newTestId('record'), { token }),
      await keep('another-slug', { token }),
    ];
    const told = attempts.map(({ text, status, body }) => [status, text.replace(body.requestId, '')]);
    expect(new Set(told.map(String)).size).toBe(1);
    expect(told[0]?.[0]).toBe(404);
    expect((await keep('self', { token: `${token.slice(0, -1)}_` })).body.errors[0].pointer).toBe('/token');
    expect((await keep('self', { token: api.fullKey })).status).toBe(422);
    expect((await api.call('GET', `/v1/sources/${id}`, { key: token })).status).toBe(200);
  });

  it('needs an account key of scope full', async () => {
    const { token } = await openSession();
    const { value: readKey } = await createKey(api.db, api.accountId, 'read');
    expect((await keep('self', { token }, readKey)).status).toBe(403);
    expect((await keep('self', { token }, token)).status).toBe(403);
    expect((await keep('self', { token })).status).toBe(200);
  });

  it('is won by one of two accounts that request it at once', async () => {
    const other = await createAccount(api.db);
    const { value: otherKey } = await createKey(api.db, other, 'full');
    for (let round = 0; round < 10; round += 1) {
      const { token, id } = await openSession({ name: `Raced ${round}` });
      const answers = await Promise.all([keep('self', { token }), keep('self', { token }, otherKey)]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
      const winner = answers[0]?.status === 200 ? api.accountId : other;
      expect((await findRecord(api.db, id))?.accountId).toBe(winner);
    }
  });

  it('races with the end and the deletion of the session: all or nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { token, id } = await openSession({ name: `Ended ${round}` });
      const ending =
        round % 2 === 0
          ? () => api.call('DELETE', '/v1/sources/self', { key: token })
          : async () => {
              await endNow(id);
              await endSessionInTime(api.db, id);
            };
      const [kept] = await Promise.all([keep('self', { token }), ending()]);
      const record = await findRecord(api.db, id);
      const isKept = kept.status === 200;
      expect(kept.status).toBe(isKept ? 200 : 404);
      expect([record?.accountId, record?.tier]).toEqual(
        isKept ? [api.accountId, 'free'] : [undefined, undefined],
      );
      // A request that comes too late to end the session does not change the record.
      expect(isKept && (await endSessionInTime(api.db, id))).toBe(false);
    }
  });
});

describe('limits of anonymous use', () => {
  it(`are ${SESSIONS_PER_HOUR} sessions an hour for one address, exactly`, async () => {
    const address = nextAddress();
    const answers = await Promise.all(
      Array.from({ length: SESSIONS_PER_HOUR + 3 }, () => post({ url: 'https://a.example.com/' }, address)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(SESSIONS_PER_HOUR);
    for (const { body, headers } of refused) {
      expect(body.code).toBe('rate_limited');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
    }
    expect((await post({ url: 'https://a.example.com/' })).status).toBe(201);
  });

  it(`are ${SESSIONS_PER_DAY} a day`, async () => {
    const address = nextAddress();
    await takeMany(`sessions ${address}`, SESSIONS_PER_DAY, 'day');
    const { status, headers } = await post({ url: 'https://a.example.com/' }, address);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(86_400);
  });

  it('regression: are 20 times as many for the /48 of an IPv6 address, which may have 65,536 /64', async () => {
    await takeMany('sessions 2001:db8:7::/48', SITE_FACTOR * SESSIONS_PER_HOUR - 2);
    const statuses: number[] = [];
    for (const network of ['1', '2', '3']) {
      statuses.push((await post({ url: 'https://a.example.com/' }, `2001:db8:7:${network}::1`)).status);
    }
    expect(statuses).toEqual([201, 201, 429]);
    expect((await post({ url: 'https://a.example.com/' }, '2001:db8:8::1')).status).toBe(201);
  });

  it('regression: are so many open sessions of everybody', async () => {
    const { config } = api.services;
    const { open } = await countOpenSessions(api.db);
    Object.assign(config, { sessionsMax: open + 1 });
    try {
      const { id } = await openSession();
      const refused = await post({ url: 'https://a.example.com/' });
      expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      await endNow(id);
      await openSession();
    } finally {
      Object.assign(config, { sessionsMax: parseConfig({}).sessionsMax });
    }
  });

  it(`are ${RECORDS_PER_HOST} records that watch one host, for new sessions and for new URLs`, async () => {
    const host = 'crowded.example.com';
    for (let at = 1; at < RECORDS_PER_HOST; at += 1) await insertAnonymous(`https://${host}:${2_000 + at}/x`);
    const last = await Promise.all([1, 2, 3, 4].map(() => post({ url: `https://${host}/` })));
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 429, 429, 429]);
    expect((await post({ url: `https://${host}./` })).status).toBe(429);
    const refused = await post({ url: `https://${host}/` });
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
    const { token: key } = await openSession();
    const moved = await api.call('PATCH', '/v1/sources/self', { key, body: { url: `https://${host}/y` } });
    expect(moved.status).toBe(429);
    expect((await post({ url: 'https://other.example.com/' })).status).toBe(201);
    expect((await api.call('POST', '/v1/sources', { body: { url: `https://${host}/` } })).status).toBe(201);
  });
});

const insertAnonymous = (url: string) => api.db.transaction((trx) => insertSession(trx, newSession({ url })));
