// The interface of the service, line by line: sections 2 to 5 and 7 to 9, in their order and, where quoted, in their words.
// The tests of each topic cover the rest (races, every operation, every credential).
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';
import { makeSession } from '../../support/rows/new-session.ts';

const api = useApi();

let id = '';
let sibling = '';
const SLUG = 'price-list';
const of = (rest: string, reference = id): string => `/v1/sources/${reference}/${rest}`;
const row = (key: string, price: number): string => `{"id":"${key}","price":${price}}`;
const rowsUpTo = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, row(`k${at}`, at)]));

beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId, { slug: SLUG });
  sibling = await createTestRecord(api.db, api.accountId, { slug: 'sibling' });
  await commitRows(api.db, id, { a: row('a', 1), b: row('b', 2), c: row('c', 3) });
  await commitRows(api.db, id, { a: row('a', 1), b: row('b', 9), d: row('d', 4) });
  await commitRows(api.db, id, { a: row('a', 1), b: row('b', 9), d: row('d', 4) });
});

const makeKey = (path: string, body: object) => api.call('POST', path, { body });

describe('section 2', () => {
  it.each(['name', 'scope'])('interface 2.1: an API key’s %s is "required on creation"', async (field) => {
    const body = { name: 'A key', scope: 'read', [field]: undefined };
    for (const path of ['/v1/apikeys', of('apikeys')]) {
      const answer = await makeKey(path, body);
      expect(answer.body).toMatchObject({
        status: 422,
        errors: [{ pointer: `/${field}`, code: 'required' }],
      });
    }
  });

  it('interface 2.1: the scope is "one of full, read, download"', async () => {
    for (const scope of ['full', 'read', 'download']) {
      const { status, body } = await makeKey('/v1/apikeys', { name: 'A key', scope });
      expect([status, body.scope, body.name]).toEqual([201, scope, 'A key']);
    }
    expect((await makeKey('/v1/apikeys', { name: 'A key', scope: 'write' })).status).toBe(422);
  });

  it('interface 2.1: "Only a SHA-256 hash is stored"', async () => {
    const { body } = await makeKey('/v1/apikeys', { name: 'A key', scope: 'read' });
    const stored = await api.db('api_keys').where({ id: body.id }).first('hash');
    expect(stored.hash).toEqual(createHash('sha256').update(body.key).digest());
  });

  it('interface 2.2: each kind of credential has its prefix, and reaches what it says', async () => {
    const account = (await makeKey('/v1/apikeys', { name: 'A key', scope: 'read' })).body.key;
    const record = (await makeKey(of('apikeys'), { name: 'A key', scope: 'read' })).body.key;
    const { token, recordId } = await makeSession(api.db);
    const reached = async (key: string) => {
      const { body } = await api.call('GET', '/v1/sources', { key });
      return body.sources.map((source: { id: string }) => source.id).toSorted();
    };
    expect([account.slice(0, 9), await reached(account)]).toEqual(['cat_live_', [id, sibling].toSorted()]);
    expect([record.slice(0, 8), await reached(record)]).toEqual(['cat_src_', [id]]);
    expect([token.slice(0, 8), await reached(token)]).toEqual(['cat_eph_', [recordId]]);
  });

  it('interface 2.3: "Has an identifier and a slug (a URL-safe name). Both address the record"', async () => {
    const byId = await api.call('GET', `/v1/sources/${id}`);
    const bySlug = await api.call('GET', `/v1/sources/${SLUG}`);
    expect(byId.body).toEqual(bySlug.body);
    expect(encodeURIComponent(byId.body.slug)).toBe(byId.body.slug);
  });

  it('interface 2.3: a record "belongs to a tier" and "carries source-credential configuration"', async () => {
    const { body } = await api.call('GET', `/v1/sources/${id}`);
    expect(body).toMatchObject({ tier: 'watch', auth: { type: 'none', configured: false } });
  });

  it.each([
    ['basic', { authUsername: 'me', authPassword: 'a-secret-value' }],
    ['bearer', { authToken: 'a-secret-value' }],
    ['api_key_header', { authHeaderName: 'X-Api-Key', authHeaderValue: 'a-secret-value' }],
    ['api_key_query', { authQueryParam: 'key', authQueryValue: 'a-secret-value' }],
  ])(
    'interface 2.4: authType %s takes its fields; "responses only confirm that auth is configured"',
    async (authType, fields) => {
      const body = { url: 'https://example.com/protected.csv', authType, ...fields };
      const created = await api.call('POST', '/v1/sources', { body });
      expect(created.body.auth).toEqual({ type: authType, configured: true });
      const read = await api.call('GET', `/v1/sources/${created.body.id}`);
      expect(created.text + read.text).not.toContain('a-secret-value');
      await api.call('DELETE', `/v1/sources/${created.body.id}`);
    },
  );

  it('interface 2.5: a webhook has an id with the prefix wh_, a required url, an optional secret, and enabled', async () => {
    const { body } = await api.call('POST', of('webhooks'), { body: { url: 'https://example.com/hook' } });
    expect(body).toMatchObject({ url: 'https://example.com/hook', enabled: true });
    expect(body.id).toMatch(/^wh_/);
    const own = { url: 'https://example.com/hook', secret: 'a secret of my own' };
    expect((await api.call('POST', of('webhooks'), { body: own })).status).toBe(201);
    expect((await api.call('POST', of('webhooks'), { body: {} })).body.errors[0].pointer).toBe('/url');
  });

  it('interface 2.6: a delta event has the prefix evt_, isNoChange and the summary counts', async () => {
    const { body } = await api.call('GET', of('delta?order=asc'));
    const [, changed, unchanged] = body.events;
    expect(changed.id).toMatch(/^evt_/);
    const summary = { newCount: 1, changedCount: 1, deletedCount: 1, unchangedCount: 1, totalCount: 3 };
    expect(changed).toMatchObject({ isNoChange: false, summary });
    const none = { newCount: 0, changedCount: 0, deletedCount: 0, unchangedCount: 3, totalCount: 3 };
    expect(unchanged).toMatchObject({ isNoChange: true, summary: none });
  });

  it('interface 2.6: delta rows "carry before and after values"', async () => {
    const { body: events } = await api.call('GET', of('delta?order=asc'));
    const { body } = await api.call('GET', of(`delta/${events.events[1].id}/rows`));
    expect(body.rows).toMatchObject([
      { key: 'b', changeType: 'changed', before: { price: 2 }, after: { price: 9 } },
      { key: 'c', changeType: 'deleted', before: { price: 3 }, after: null },
      { key: 'd', changeType: 'new', before: null, after: { price: 4 } },
    ]);
  });
});

/** Path of each list of a record, with the name of its array. */
const listsOf = (eventId: string): [path: string, key: string][] => [
  [of('delta'), 'events'],
  [of(`delta/${eventId}/rows`), 'rows'],
  [of('snapshot-rows'), 'rows'],
  [of('snapshots'), 'snapshots'],
];

const changedEvent = async (): Promise<string> =>
  (await api.call('GET', of('delta?changesOnly=true'))).body.events[0].id;

describe('section 3', () => {
  it.each([of, (rest: string) => `/v1/${rest}`])(
    'interface 3: an active key that is deleted "stops working immediately" and "cannot be un-revoked"',
    async (under) => {
      const { body } = await makeKey(under('apikeys'), { name: 'A key', scope: 'read' });
      expect((await api.call('GET', '/v1/sources', { key: body.key })).status).toBe(200);
      expect((await api.call('DELETE', `${under('apikeys')}/${body.id}`)).status).toBe(204);
      expect((await api.call('GET', '/v1/sources', { key: body.key })).status).toBe(401);
      const revival = { body: { revokedAt: null } };
      expect((await api.call('PATCH', `${under('apikeys')}/${body.id}`, revival)).status).toBe(405);
    },
  );

  it('interface 3: a webhook is disabled "PATCH with enabled: false" and enabled "PATCH with enabled: true"', async () => {
    const { body } = await api.call('POST', of('webhooks'), { body: { url: 'https://example.com/hook' } });
    for (const enabled of [false, true]) {
      const { body: patched } = await api.call('PATCH', of(`webhooks/${body.id}`), { body: { enabled } });
      expect(patched.enabled).toBe(enabled);
    }
  });

  it('interface 3: the powers of an ephemeral token end when "session ends"', async () => {
    const { token, recordId } = await makeSession(api.db);
    expect((await api.call('GET', `/v1/sources/${recordId}`, { key: token })).status).toBe(200);
    await api
      .db('ephemeral_sessions')
      .where({ recordId })
      .update({ expiresAt: new Date(0) });
    expect((await api.call('GET', `/v1/sources/${recordId}`, { key: token })).status).toBe(401);
  });
});

describe('section 4', () => {
  it('interface 4: "All requests carry credentials"', async () => {
    const scoped = OPERATIONS.filter(({ scope }) => scope !== 'public');
    const statuses = scoped.map(async ({ http }) => {
      const path = http.path.replaceAll(/:\w+/g, 'any');
      return [http.path, (await api.call(http.method, path, { key: null })).status] as const;
    });
    expect((await Promise.all(statuses)).filter(([, status]) => status !== 401)).toEqual([]);
    expect(scoped.length).toBeGreaterThan(30);
  });

  it('interface 4: "Bodies are JSON with Content-Type: application/json"', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { status } = await api.call('POST', '/v1/apikeys', {
      body: '{"name":"A key","scope":"read"}',
      headers,
    });
    expect(status).toBe(415);
    expect((await api.call('GET', `/v1/sources/${id}`)).headers['content-type']).toMatch(
      /^application\/json/,
    );
  });

  it('interface 4.1: GET /v1/sources/:id/delta/latest is "the latest delta event"', async () => {
    const { body } = await api.call('GET', of('delta/latest'));
    expect(body).toEqual((await api.call('GET', of('delta?limit=1'))).body.events[0]);
  });

  it('interface 4.2: "POST /v1/apikeys" and "DELETE /v1/apikeys/:id" make and revoke account keys', async () => {
    const { status, body } = await makeKey('/v1/apikeys', { name: 'A key', scope: 'full' });
    expect([status, body.kind]).toEqual([201, 'account']);
    expect((await api.call('DELETE', `/v1/apikeys/${body.id}`)).status).toBe(204);
  });

  it('interface 4.2: "full is available only on account keys"', async () => {
    expect((await makeKey(of('apikeys'), { name: 'A key', scope: 'full' })).status).toBe(422);
    expect((await makeKey('/v1/apikeys', { name: 'A key', scope: 'full' })).status).toBe(201);
  });

  it('interface 4.2: "DELETE /v1/sources/:id/apikeys/:keyId" revokes a record-scoped key', async () => {
    const { body } = await makeKey(of('apikeys'), { name: 'A key', scope: 'download' });
    expect((await api.call('DELETE', of(`apikeys/${body.id}`))).status).toBe(204);
  });

  it('interface 4.3: a record’s webhooks are created, listed, updated and deleted', async () => {
    const { body } = await api.call('POST', of('webhooks', sibling), {
      body: { url: 'https://example.com/hook' },
    });
    const ids = async () => {
      const list = await api.call('GET', of('webhooks', sibling));
      return list.body.webhooks.map((webhook: { id: string }) => webhook.id);
    };
    expect(await ids()).toEqual([body.id]);
    expect((await api.call('PATCH', of(`webhooks/${body.id}`, sibling), { body: { enabled: true } })).status).toBe(200); // prettier-ignore
    expect((await api.call('DELETE', of(`webhooks/${body.id}`, sibling))).status).toBe(204);
    expect(await ids()).toEqual([]);
  });

  it('interface 2.8 and 4.4: lists have sourceId, count, hasMore, nextCursor and their array', async () => {
    for (const [path, key] of listsOf(await changedEvent())) {
      const { body } = await api.call('GET', `${path}?limit=1`);
      expect(Object.keys(body).toSorted()).toEqual(['count', 'hasMore', key, 'nextCursor', 'sourceId'].toSorted()); // prettier-ignore
      expect(body).toMatchObject({ sourceId: id, count: 1, hasMore: true, nextCursor: expect.any(String) });
    }
  });

  it('interface 4.4: "since limits the delta listing", so that "only events after that point are paged"', async () => {
    const { body } = await api.call('GET', of('delta?order=asc'));
    const [first, ...after] = body.events;
    for (const since of [first.id, first.detectedAt]) {
      expect((await api.call('GET', of(`delta?order=asc&since=${since}`))).body.events).toEqual(after);
    }
  });
});

describe('section 5', () => {
  it('interface 5: "API requests send the key in the header Authorization: Bearer <API_KEY>"', async () => {
    expect((await api.call('GET', '/v1/sources')).status).toBe(200);
    for (const headers of [{ 'x-api-key': api.fullKey }, { authorization: `Basic ${api.fullKey}` }]) {
      expect((await api.call('GET', '/v1/sources', { key: null, headers })).status).toBe(401);
    }
    expect((await api.call('GET', `/v1/sources?token=${api.fullKey}`, { key: null })).status).toBe(401);
  });

  it('interface 5: "the record’s slug is accepted in path positions such as /v1/sources/<slug>/delta/latest"', async () => {
    const { value: key } = await createKey(api.db, api.accountId, 'read', id);
    const answers = await Promise.all(
      [SLUG, id, 'self'].map((reference) => api.call('GET', of('delta/latest', reference), { key })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.sourceId).toBe(id);
  });

  it('interface 5: "full allows everything, read allows reads and downloads, download allows downloads only"', async () => {
    const allowed = async (scope: 'full' | 'read' | 'download') => {
      const { value: key } = await createKey(api.db, api.accountId, scope);
      const write = await api.call('PATCH', `/v1/sources/${id}`, { key, body: { name: 'Prices' } });
      const read = await api.call('GET', of('snapshot-rows'), { key });
      const download = await api.call('GET', of('snapshots/latest/download'), { key });
      return [write, read, download].map(({ status }) => status);
    };
    expect(await allowed('full')).toEqual([200, 200, 200]);
    expect(await allowed('read')).toEqual([403, 200, 200]);
    expect(await allowed('download')).toEqual([403, 403, 200]);
  });

  it('interface 5: "Write endpoints always require full"', () => {
    const writes = OPERATIONS.filter(({ http, scope }) => http.method !== 'GET' && scope !== 'full');
    // These change no object of the account: anonymous starts, queries with a body, a link to a file. A key is collected only
    // after somebody with the scope full has allowed it.
    expect(writes.map(({ name }) => name).toSorted()).toEqual([
      'collectKey',
      'createDownloadLink',
      'createSession',
      'previewCondition',
      'previewEvents',
      'querySnapshot',
      'startKeyRequest',
    ]);
  });

  it('interface 5: ephemeral tokens "are exempt from the scope table. Possession of the token is control"', async () => {
    const { token, recordId } = await makeSession(api.db);
    const patched = await api.call('PATCH', `/v1/sources/${recordId}`, {
      key: token,
      body: { name: 'Mine' },
    });
    expect([patched.status, patched.body.name]).toEqual([200, 'Mine']);
  });

  it('interface 5: "create the replacement, switch the integration, then revoke"', async () => {
    const old = (await makeKey(of('apikeys'), { name: 'Old', scope: 'read' })).body;
    const replacement = (await makeKey(of('apikeys'), { name: 'New', scope: 'read' })).body;
    const works = async (key: string) => (await api.call('GET', of('delta/latest', 'self'), { key })).status;
    expect([await works(old.key), await works(replacement.key)]).toEqual([200, 200]);
    await api.call('DELETE', of(`apikeys/${old.id}`));
    expect([await works(old.key), await works(replacement.key)]).toEqual([401, 200]);
  });

  it('interface 5: keys and webhooks unlock "once any one record is on a paid tier (watch or max)"', async () => {
    const account = await createAccount(api.db);
    const { value: key } = await createKey(api.db, account, 'full');
    const free = await createTestRecord(api.db, account, { tier: 'free' });
    const ask = async () => {
      const keyMade = await api.call('POST', of('apikeys', free), {
        key,
        body: { name: 'A key', scope: 'read' },
      });
      const hook = { key, body: { url: 'https://example.com/hook' } };
      return [keyMade.status, (await api.call('POST', of('webhooks', free), hook)).status];
    };
    expect(await ask()).toEqual([402, 402]);
    await createTestRecord(api.db, account, { tier: 'watch' });
    expect(await ask()).toEqual([201, 201]);
  });

  it('interface 5: source credentials are "never sent by the API caller on data requests"', () => {
    const taking = OPERATIONS.filter(({ body }) => body !== null && 'authToken' in body.properties);
    expect(taking.map(({ name }) => name).toSorted()).toEqual([
      'createRecord',
      'createSession',
      'previewRecord',
      'updateRecord',
    ]);
  });
});

describe('section 7', () => {
  it('interface 7: "A record-scoped key only reaches its own record"', async () => {
    const { value: key } = await createKey(api.db, api.accountId, 'read', id);
    const headers = { 'x-request-id': 'same' };
    const foreign = await api.call('GET', `/v1/sources/${sibling}`, { key, headers });
    const missing = await api.call('GET', '/v1/sources/no-such-record', { key, headers });
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  });

  it('interface 7: "Scope violations (for example a write with a non-full key) are refused"', async () => {
    const { value: key } = await createKey(api.db, api.accountId, 'read');
    const { body } = await api.call('DELETE', `/v1/sources/${id}`, { key });
    expect(body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect((await api.call('GET', `/v1/sources/${id}`)).status).toBe(200);
  });
});

describe('section 8', () => {
  const lists: [name: string, path: () => Promise<string>, fallback: number, max: number][] = [
    ['/delta', async () => of('delta', many), 50, 200],
    ['/delta/:deltaEventId/rows', async () => of(`delta/${largeEvent}/rows`, large), 1_000, 5_000],
    ['/snapshot-rows', async () => of('snapshot-rows', large), 20, 100],
    ['/snapshots', async () => of('snapshots', many), 100, 100],
  ];
  let many = '';
  let large = '';
  let largeEvent = '';
  beforeAll(async () => {
    many = await createTestRecord(api.db, api.accountId);
    for (let price = 0; price <= 200; price += 1) await commitRows(api.db, many, { a: row('a', price) });
    large = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, large, { a: row('a', 1) });
    await commitRows(api.db, large, { a: row('a', 1), ...rowsUpTo(5_001) });
    largeEvent = (await api.call('GET', of('delta/latest', large))).body.id;
  });

  it.each(lists)(
    'interface 8: GET /v1/sources/:id%s, default and max limit',
    async (_name, pathOf, fallback, max) => {
      const path = await pathOf();
      const counts = [];
      for (const query of ['', `?limit=${max}`, `?limit=${max + 1}`]) {
        const { body } = await api.call('GET', `${path}${query}`);
        expect(body.hasMore).toBe(true);
        counts.push(body.count);
      }
      expect(counts).toEqual([fallback, max, max]);
    },
  );

  it.each(lists)(
    'interface 8: %s is read by "repeat requests with nextCursor while hasMore is true"',
    async (_name, pathOf, _fallback, max) => {
      const path = await pathOf();
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await api.call('GET', `${path}?limit=${max}${cursor}`);
        const items: { id?: string; key?: string }[] = body.events ?? body.snapshots ?? body.rows;
        seen.push(...items.map((item) => item.id ?? item.key ?? ''));
        cursor = body.hasMore === true ? `&cursor=${body.nextCursor}` : '';
      } while (cursor !== '');
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThan(max);
    },
  );

  it('interface 8: "Ephemeral session duration 24 hours"', async () => {
    const body = { url: 'https://example.com/anonymous.csv' };
    const before = Date.now();
    const session = await api.call('POST', '/v1/sessions', { key: null, body });
    const lengthMs = Date.parse(session.body.expiresAt) - before;
    expect(Math.round(lengthMs / 60_000)).toBe(24 * 60);
  });

  it('interface 8: "Anonymous MCP tool calls 50 per session"', async () => {
    const { token } = await makeSession(api.db);
    const { body } = await api.call('GET', '/v1/sessions/self', { key: token });
    expect(body.mcpCalls).toEqual({ limit: 50, used: 0, left: 50 });
  });
});

describe('section 9', () => {
  it('interface 9: "The version is carried in the path prefix /v1"', () => {
    expect(OPERATIONS.filter(({ http }) => !http.path.startsWith('/v1/'))).toEqual([]);
  });
});
