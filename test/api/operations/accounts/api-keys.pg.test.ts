import { describe, expect, it } from 'vitest';
import { MAX_WORKING_KEYS } from '../../../../api/keys/new-api-keys.ts';
import { hashApiKey, parseApiKey } from '../../../../core/crypto/api-key.ts';
import { ApiKeyModel } from '../../../../db/access/api-keys.ts';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { createAccount, createKey, createTestRecord, newTestId } from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';

const api = useApi();
const sameId = { 'x-request-id': 'the-same' };
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** Of an account of its own, which may make keys. */
async function accountWithKey(): Promise<{
  accountId: string;
  recordId: string;
  key: string;
  keyId: string;
}> {
  const accountId = await createAccount(api.db);
  const recordId = await createTestRecord(api.db, accountId);
  const { id: keyId, value: key } = await createKey(api.db, accountId, 'full');
  return { accountId, recordId, key, keyId };
}

const list = async (path: string, key = api.fullKey) => (await api.call('GET', path, { key })).body;
const statusWith = async (key: string, path = '/v1/sources') => (await api.call('GET', path, { key })).status;
const expireIn = (id: string, seconds: number) =>
  api.db.raw('update api_keys set expires_at = now() + make_interval(secs => ?) where id = ?', [seconds, id]);

describe('account keys', () => {
  it('interface 2.1: a key’s value is shown once, in the creation response; only a SHA-256 hash is stored', async () => {
    const { key: creator, keyId } = await accountWithKey();
    const { status, body, headers } = await api.call('POST', '/v1/apikeys', {
      key: creator,
      body: { name: 'Nightly import', scope: 'read' },
    });
    expect(status).toBe(201);
    expect(headers['cache-control']).toContain('no-store');
    const { key, ...shown } = body;
    expect(key).toMatch(/^cat_live_[0-9A-Za-z]{36}$/);
    expect(parseApiKey(key)).toEqual({ kind: 'account' });
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      name: 'Nightly import',
      scope: 'read',
      kind: 'account',
      prefix: 'cat_live_',
      last4: key.slice(-4),
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    const stored = await ApiKeyModel.query(api.db).findById(body.id).throwIfNotFound();
    expect(stored.hash).toEqual(hashApiKey(key));
    const { text } = await api.call('GET', '/v1/apikeys', { key: creator });
    expect(text).not.toContain(key);
    const page = JSON.parse(text);
    expect(page).toMatchObject({ count: 2, hasMore: false, nextCursor: null });
    expect(page).not.toHaveProperty('sourceId');
    expect(page.apiKeys[0]).toEqual(shown);
    expect(page.apiKeys[1]).toMatchObject({ id: keyId, lastUsedAt: expect.any(String) });
    expect(api.logLines.join('')).not.toContain(key);
  });

  it('interface 2.1: the value cannot be retrieved later, even by a repeated request', async () => {
    const { key: creator } = await accountWithKey();
    const body = { name: 'Once', scope: 'read' };
    const create = () =>
      api.call('POST', '/v1/apikeys', { key: creator, body, headers: { 'idempotency-key': 'the-same' } });
    const { key, ...shown } = (await create()).body;
    expect(key).toMatch(/^cat_live_/);
    const again = await create();
    expect(again.status).toBe(201);
    expect(again.body).toEqual(shown);
    expect(again.text).not.toContain(key);
    expect((await list('/v1/apikeys', creator)).count).toBe(2);
  });

  it('interface 5: a key reaches all records of its account, within its scope', async () => {
    const { key: creator, recordId } = await accountWithKey();
    const make = async (scope: string) =>
      (await api.call('POST', '/v1/apikeys', { key: creator, body: { name: scope, scope } })).body.key;
    for (const scope of ['full', 'read']) {
      expect(await list('/v1/sources', await make(scope))).toMatchObject({ sources: [{ id: recordId }] });
    }
    expect(await statusWith(await make('download'))).toBe(403);
  });

  it.each(['read', 'download'] as const)('cannot be managed with a key of scope %s', async (scope) => {
    const { accountId } = await accountWithKey();
    const { id, value: key } = await createKey(api.db, accountId, scope);
    const body = { name: 'Wider', scope: 'full' };
    expect((await api.call('POST', '/v1/apikeys', { key, body })).body.code).toBe('insufficient_scope');
    expect(await statusWith(key, '/v1/apikeys')).toBe(403);
    expect((await api.call('DELETE', `/v1/apikeys/${id}`, { key })).status).toBe(403);
    expect(await statusWith(key)).not.toBe(401);
  });

  it.each([
    [{ scope: 'read' }, '/name', 'required'],
    [{ name: '', scope: 'read' }, '/name', 'invalid_value'],
    [{ name: ' ', scope: 'read' }, '/name', 'invalid_value'],
    [{ name: 'a\u0000b', scope: 'read' }, '/name', 'invalid_value'],
    [{ name: 'x'.repeat(201), scope: 'read' }, '/name', 'too_long'],
    [{ name: 'A key' }, '/scope', 'required'],
    [{ name: 'A key', scope: 'admin' }, '/scope', 'invalid_value'],
    [{ name: 'A key', scope: 'read', kind: 'record' }, '/kind', 'unknown_field'],
    [{ name: 'A key', scope: 'read', expiresAt: 'tomorrow' }, '/expiresAt', 'invalid_value'],
    [{ name: 'A key', scope: 'read', expiresAt: '2999-02-30T00:00:00Z' }, '/expiresAt', 'invalid_value'],
    [{ name: 'A key', scope: 'read', expiresAt: '2999-01-01' }, '/expiresAt', 'invalid_value'],
    [{ name: 'A key', scope: 'read', expiresAt: '2999-06-30T23:59:60Z' }, '/expiresAt', 'invalid_value'],
    [{ name: 'A key', scope: 'read', expiresAt: '9999-12-31T23:59:59-12:00' }, '/expiresAt', 'invalid_value'],
    [{ name: 'A key', scope: 'read', expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt', 'invalid_value'],
    [{ name: 'A key', scope: 'read', expiresAt: null }, '/expiresAt', 'invalid_type'],
  ])('refuse %j', async (body, pointer, code) => {
    const { key } = await accountWithKey();
    const answer = await api.call('POST', '/v1/apikeys', { key, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer, code }] });
  });

  it('are listed newest first or oldest first, by cursor, also when revoked', async () => {
    const { accountId, key, keyId } = await accountWithKey();
    const ids = [keyId];
    for (let at = 0; at < 4; at += 1) ids.push((await createKey(api.db, accountId, 'read')).id);
    await api.call('DELETE', `/v1/apikeys/${ids[2]}`, { key });
    const walk = async (order: string): Promise<string[]> => {
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const page = await list(`/v1/apikeys?limit=2&order=${order}${cursor}`, key);
        seen.push(...page.apiKeys.map(({ id }: { id: string }) => id));
        if (!page.hasMore) return seen;
        cursor = `&cursor=${page.nextCursor}`;
      }
    };
    expect(await walk('asc')).toEqual(ids.toSorted());
    expect(await walk('desc')).toEqual(ids.toSorted().toReversed());
    const { apiKeys, nextCursor } = await list('/v1/apikeys?limit=4', key);
    expect(apiKeys.map(({ revokedAt }: { revokedAt: unknown }) => typeof revokedAt)).toContain('string');
    expect(await statusWith(api.fullKey, `/v1/apikeys?cursor=${nextCursor}`)).toBe(400);
  });

  it('have a maximum that counts neither revoked nor expired ones', async () => {
    const { accountId, key } = await accountWithKey();
    const made: string[] = [];
    for (let at = 1; at < MAX_WORKING_KEYS.account; at += 1)
      made.push((await createKey(api.db, accountId, 'read')).id);
    const create = () => api.call('POST', '/v1/apikeys', { key, body: { name: 'One more', scope: 'read' } });
    expect((await create()).body).toMatchObject({ status: 409, code: 'conflict' });
    await api.call('DELETE', `/v1/apikeys/${made[0]}`, { key });
    await expireIn(made[1] ?? '', -1);
    // Five requests at once for the last two.
    const statuses = (await Promise.all(Array.from({ length: 5 }, create))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(2);
    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
  });
});

describe('a key that expires', () => {
  it('stops working by the database’s clock', async () => {
    const { key: creator } = await accountWithKey();
    const expiresAt = inAnHour();
    const { body } = await api.call('POST', '/v1/apikeys', {
      key: creator,
      body: { name: 'For a while', scope: 'read', expiresAt: expiresAt.replace('Z', '+00:00') },
    });
    expect(body.expiresAt).toBe(expiresAt);
    expect(await statusWith(body.key)).toBe(200);
    await expireIn(body.id, 0);
    expect(await statusWith(body.key)).toBe(401);
  });

  it('creates no key that outlives it', async () => {
    const { key, keyId, recordId } = await accountWithKey();
    await expireIn(keyId, 3_600);
    const { expiresAt } = await ApiKeyModel.query(api.db).findById(keyId).throwIfNotFound();
    const later = new Date((expiresAt?.getTime() ?? 0) + 1).toISOString();
    for (const path of ['/v1/apikeys', `/v1/sources/${recordId}/apikeys`]) {
      const make = (wanted?: string) =>
        api.call('POST', path, { key, body: { name: 'Child', scope: 'read', expiresAt: wanted } });
      for (const wanted of [undefined, later]) {
        expect((await make(wanted)).body).toMatchObject({ status: 422, errors: [{ pointer: '/expiresAt' }] });
      }
      expect((await make(expiresAt?.toISOString())).status).toBe(201);
    }
  });
});

describe('revoking', () => {
  it('interface 3: a revoked key stops working immediately and cannot be un-revoked', async () => {
    const { accountId, key } = await accountWithKey();
    const { id, value } = await createKey(api.db, accountId, 'full');
    expect(await statusWith(value)).toBe(200);
    const revoke = () => api.call('DELETE', `/v1/apikeys/${id}`, { key });
    expect((await revoke()).status).toBe(204);
    expect(await statusWith(value)).toBe(401);
    const shown = async () =>
      (await list('/v1/apikeys', key)).apiKeys.find((each: { id: string }) => each.id === id);
    const before = await shown();
    expect(before.revokedAt).toEqual(expect.any(String));
    expect((await revoke()).status).toBe(204);
    expect(await shown()).toEqual(before);
    expect(await statusWith(value)).toBe(401);
  });

  it('can be done by a key to itself', async () => {
    const { key, keyId } = await accountWithKey();
    expect((await api.call('DELETE', `/v1/apikeys/${keyId}`, { key })).status).toBe(204);
    expect((await api.call('DELETE', `/v1/apikeys/${keyId}`, { key })).status).toBe(401);
  });

  it('also stops the creation of a key in progress', async () => {
    const { accountId, key, keyId } = await accountWithKey();
    const { value: other } = await createKey(api.db, accountId, 'full');
    const lock = await api.db.transaction();
    // As the creation of another key locks it.
    await lock('accounts').where({ id: accountId }).forNoKeyUpdate().first('id');
    const creation = api.call('POST', '/v1/apikeys', { key, body: { name: 'Too late', scope: 'full' } });
    await until('the creation waits', async () => {
      const sql = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from "accounts"%'`;
      return (await rawRows(api.db, sql)).length > 0;
    });
    expect((await api.call('DELETE', `/v1/apikeys/${keyId}`, { key: other })).status).toBe(204);
    await lock.rollback();
    expect((await creation).status).toBe(409);
    expect((await list('/v1/apikeys', other)).count).toBe(2);
  });

  it('treats a foreign key, or one of another kind, as missing', async () => {
    const other = await accountWithKey();
    const { key, accountId, recordId } = await accountWithKey();
    const { id: ofRecord, value: recordKey } = await createKey(api.db, accountId, 'read', recordId);
    const revoke = (id: string) => api.call('DELETE', `/v1/apikeys/${id}`, { key, headers: sameId });
    const missing = await revoke(newTestId('apiKey'));
    expect(missing.status).toBe(404);
    for (const id of [other.keyId, ofRecord, newTestId('record'), 'key_%00', "'"]) {
      const { text, headers } = await revoke(id);
      expect(text).toBe(missing.text);
      expect(Object.keys(headers)).toEqual(Object.keys(missing.headers));
    }
    expect(await statusWith(other.key)).toBe(200);
    expect(await statusWith(recordKey)).toBe(200);
  });
});

describe('record keys', () => {
  const make = async (recordId: string, key: string, scope = 'read') =>
    (
      await api.call('POST', `/v1/sources/${recordId}/apikeys`, {
        key,
        body: { name: 'For a partner', scope },
      })
    ).body;

  it('interface 4.2: POST /v1/sources/:id/apikeys makes a record-scoped key (prefix cat_src_)', async () => {
    const { recordId, key } = await accountWithKey();
    const { key: value, ...shown } = await make(recordId, key);
    expect(value).toMatch(/^cat_src_[0-9A-Za-z]{36}$/);
    expect(shown).toMatchObject({
      kind: 'record',
      prefix: 'cat_src_',
      scope: 'read',
      last4: value.slice(-4),
    });
    expect(await list(`/v1/sources/${recordId}/apikeys`, key)).toEqual({
      sourceId: recordId,
      count: 1,
      hasMore: false,
      nextCursor: null,
      apiKeys: [shown],
    });
    expect((await list('/v1/apikeys', key)).count).toBe(1);
  });

  it('interface 4.2: the scope of a record key is read or download; full is 422', async () => {
    const { recordId, key } = await accountWithKey();
    const body = { name: 'Wide', scope: 'full' };
    const answer = await api.call('POST', `/v1/sources/${recordId}/apikeys`, { key, body });
    expect(answer.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/scope', code: 'invalid_value' }],
    });
  });

  it('interface 5: a record-scoped key resolves its record automatically, by self, id or slug', async () => {
    const { accountId, recordId, key } = await accountWithKey();
    await createTestRecord(api.db, accountId, { slug: 'sibling' });
    await api.db('records').where({ id: recordId }).update({ slug: 'prices' });
    // A slug of another account is another record's.
    await createTestRecord(api.db, api.accountId, { slug: 'prices', name: 'Of somebody else' });
    const { key: recordKey } = await make(recordId, key);
    for (const reference of ['self', recordId, 'prices']) {
      expect((await list(`/v1/sources/${reference}`, recordKey)).id).toBe(recordId);
    }
    expect(await statusWith(recordKey, '/v1/sources/sibling')).toBe(404);
    expect(await statusWith(key, '/v1/sources/self')).toBe(404);
  });

  it('interface 5: GET /v1/sources with a record-scoped key returns only the scoped record', async () => {
    const { accountId, recordId, key } = await accountWithKey();
    await createTestRecord(api.db, accountId);
    const { key: recordKey } = await make(recordId, key);
    expect(await list('/v1/sources', recordKey)).toMatchObject({ count: 1, sources: [{ id: recordId }] });
  });

  it('can neither manage keys nor write', async () => {
    const { recordId, key } = await accountWithKey();
    const { id, key: recordKey } = await make(recordId, key);
    const body = { name: 'Another', scope: 'read' };
    const calls = [
      api.call('POST', '/v1/apikeys', { key: recordKey, body }),
      api.call('GET', '/v1/apikeys', { key: recordKey }),
      api.call('POST', '/v1/sources/self/apikeys', { key: recordKey, body }),
      api.call('GET', '/v1/sources/self/apikeys', { key: recordKey }),
      api.call('DELETE', `/v1/sources/self/apikeys/${id}`, { key: recordKey }),
      api.call('PATCH', '/v1/sources/self', { key: recordKey, body: { name: 'Mine' } }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.body.code).toBe('insufficient_scope');
  });

  it('are revoked with their record only', async () => {
    const { accountId, recordId, key } = await accountWithKey();
    const sibling = await createTestRecord(api.db, accountId);
    const { id, key: recordKey } = await make(recordId, key);
    const { id: ofSibling } = await make(sibling, key);
    const { id: ofAccount } = await createKey(api.db, accountId, 'read');
    const revoke = (keyId: string) =>
      api.call('DELETE', `/v1/sources/${recordId}/apikeys/${keyId}`, { key, headers: sameId });
    const missing = await revoke(newTestId('apiKey'));
    for (const keyId of [ofSibling, ofAccount]) expect((await revoke(keyId)).text).toBe(missing.text);
    expect((await revoke(id)).status).toBe(204);
    expect(await statusWith(recordKey)).toBe(401);
    expect((await revoke(id)).status).toBe(204);
  });

  it('end with their record, at once', async () => {
    const { recordId, key } = await accountWithKey();
    const { key: recordKey } = await make(recordId, key);
    expect((await api.call('DELETE', `/v1/sources/${recordId}`, { key })).status).toBe(204);
    for (const path of ['/v1/sources', '/v1/sources/self', `/v1/sources/${recordId}`]) {
      expect(await statusWith(recordKey, path)).toBe(401);
    }
  });

  it('have a maximum for one record', async () => {
    const { accountId, recordId, key } = await accountWithKey();
    for (let at = 0; at < MAX_WORKING_KEYS.record; at += 1)
      await createKey(api.db, accountId, 'read', recordId);
    expect(await make(recordId, key)).toMatchObject({ status: 409, code: 'conflict' });
    const sibling = await createTestRecord(api.db, accountId);
    expect(await make(sibling, key)).toHaveProperty('key');
  });
});
