// From a credential to records: an account sees its own, a record key sees one, and no caller sees deleted ones.
import { randomBytes } from 'node:crypto';
import { UniqueViolationError } from 'objection';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../../core/principal.ts';
import { findAccount } from '../../../db/accounts/accounts.ts';
import { findApiKey, insertApiKey, type NewApiKey, revokeApiKey } from '../../../db/access/api-keys.ts';
import { findCaller } from '../../../db/access/callers.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { findRecord, markRecordDeleted } from '../../../db/records/records.ts';
import { findVisibleRecord, visibleRecords } from '../../../db/records/visible-records.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { makeAccount, makeRecord, newId } from '../factories.ts';

let database: TestDatabase;
let db: Database;
let mine: string;
let theirs: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  mine = await makeAccount(db);
  theirs = await makeAccount(db);
});
afterAll(() => database.drop());

const accountOf = (accountId: string): Principal => ({
  kind: 'account',
  accountId,
  credentialId: newId('apiKey'),
  tier: 'free',
  scope: 'full',
});
const keyOf = (accountId: string, recordId: string): Principal => ({
  kind: 'record',
  accountId,
  recordId,
  credentialId: newId('apiKey'),
  tier: 'free',
  scope: 'read',
});

describe('a record is seen', () => {
  const idSeenBy = async (principal: Principal, reference: string) =>
    (await findVisibleRecord(db, principal, reference))?.id;

  it('by its account, by id and by slug', async () => {
    const id = await makeRecord(db, { accountId: mine, slug: 'prices' });
    expect(await idSeenBy(accountOf(mine), id)).toBe(id);
    expect(await idSeenBy(accountOf(mine), 'prices')).toBe(id);
    expect(await idSeenBy(accountOf(theirs), id)).toBeUndefined();
    expect(await idSeenBy(accountOf(theirs), 'prices')).toBeUndefined();
  });

  it('by each account under the slug that both use', async () => {
    const own = await makeRecord(db, { accountId: mine, slug: 'prices' });
    const foreign = await makeRecord(db, { accountId: theirs, slug: 'prices' });
    expect(await idSeenBy(accountOf(mine), 'prices')).toBe(own);
    expect(await idSeenBy(accountOf(theirs), 'prices')).toBe(foreign);
    expect((await visibleRecords(db, accountOf(mine))).map(({ id }) => id)).toEqual([own]);
  });

  it('by a key of that record, also as self, and by no other key', async () => {
    const id = await makeRecord(db, { accountId: mine, slug: 'one' });
    const other = await makeRecord(db, { accountId: mine, slug: 'two' });
    for (const reference of [id, 'one', 'self']) expect(await idSeenBy(keyOf(mine, id), reference)).toBe(id);
    for (const reference of [other, 'two'])
      expect(await idSeenBy(keyOf(mine, id), reference)).toBeUndefined();
    expect(await idSeenBy(accountOf(mine), 'self')).toBeUndefined();
    expect(await idSeenBy(keyOf(theirs, id), id)).toBeUndefined();
    expect((await visibleRecords(db, keyOf(mine, id))).map((record) => record.id)).toEqual([id]);
  });

  it('by its id rather than by a slug that looks like it', async () => {
    const id = newId('record');
    await makeRecord(db, { accountId: mine, slug: id });
    await makeRecord(db, { accountId: mine, id });
    const other = await makeRecord(db, { accountId: mine });
    await makeRecord(db, { accountId: theirs, slug: other });
    expect(await idSeenBy(accountOf(mine), id)).toBe(id);
    expect(await idSeenBy(accountOf(theirs), other)).not.toBe(other);
  });

  it('by no caller after its deletion, and its slug is free again', async () => {
    const id = await makeRecord(db, { accountId: mine, slug: 'prices' });
    await markRecordDeleted(db, id);
    for (const principal of [accountOf(mine), keyOf(mine, id)]) {
      for (const reference of [id, 'prices', 'self']) {
        expect(await idSeenBy(principal, reference)).toBeUndefined();
      }
      expect(await visibleRecords(db, principal)).toEqual([]);
    }
    expect(await findRecord(db, id)).toBeUndefined();
    const next = await makeRecord(db, { accountId: mine, slug: 'prices' });
    expect(await idSeenBy(accountOf(mine), 'prices')).toBe(next);
  });

  it('under a slug that is unique in its account', async () => {
    await makeRecord(db, { accountId: mine, slug: 'prices' });
    await expect(makeRecord(db, { accountId: mine, slug: 'prices' })).rejects.toThrow(UniqueViolationError);
    expect(
      await db('record_heads').join('records', 'id', 'recordId').where({ accountId: mine }),
    ).toHaveLength(1);
  });
});

describe('an API key', () => {
  async function makeKey(overrides: Partial<NewApiKey> = {}): Promise<NewApiKey> {
    const key: NewApiKey = {
      id: newId('apiKey'),
      accountId: mine,
      recordId: null,
      kind: 'account',
      scope: 'full',
      name: 'A key',
      hash: randomBytes(32),
      prefix: 'cat_live_',
      last4: 'abcd',
      ...overrides,
    };
    await insertApiKey(db, key);
    return key;
  }
  const find = async ({ kind, hash }: Pick<NewApiKey, 'kind' | 'hash'>) =>
    (await findCaller(db, kind, hash, null))?.principal;
  const lastUsed = async ({ id }: NewApiKey): Promise<Date | null> => {
    const row = await db<{ id: string; lastUsedAt: Date | null }>('api_keys').where({ id }).first();
    return row?.lastUsedAt ?? null;
  };

  it('is for its account, or for one record', async () => {
    const key = await makeKey();
    expect(await find(key)).toEqual({ ...accountOf(mine), credentialId: key.id });
    const recordId = await makeRecord(db, { accountId: mine, tier: 'free' });
    const recordKey = await makeKey({ kind: 'record', recordId, scope: 'download' });
    expect(await find(recordKey)).toEqual({
      ...keyOf(mine, recordId),
      credentialId: recordKey.id,
      scope: 'download',
    });
    expect(await find({ kind: 'account', hash: randomBytes(32) })).toBeUndefined();
  });

  it('has the highest tier of its account’s records', async () => {
    const key = await makeKey();
    const tierOf = async () => (await find(key))?.tier;
    await makeRecord(db, { accountId: theirs, tier: 'max' });
    await makeRecord(db, { accountId: mine, tier: 'free' });
    expect(await tierOf()).toBe('free');
    await makeRecord(db, { accountId: mine, tier: 'watch' });
    expect(await tierOf()).toBe('watch');
    const id = await makeRecord(db, { accountId: mine, tier: 'max' });
    expect(await tierOf()).toBe('max');
    await markRecordDeleted(db, id);
    expect(await tierOf()).toBe('watch');
  });

  it('stops when it is revoked, for good, by its own account only', async () => {
    const key = await makeKey();
    const revokedAt = async () => (await findApiKey(db, key.id))?.revokedAt;
    expect(await revokeApiKey(db, { accountId: theirs, recordId: null }, key.id)).toBeUndefined();
    expect(await find(key)).toBeDefined();
    expect((await revokeApiKey(db, { accountId: mine, recordId: null }, key.id))?.isRevokedNow).toBe(true);
    expect(await find(key)).toBeUndefined();
    const at = await revokedAt();
    expect((await revokeApiKey(db, { accountId: mine, recordId: null }, key.id))?.isRevokedNow).toBe(false);
    expect(await revokedAt()).toEqual(at);
  });

  it('stops when it expires', async () => {
    const key = await makeKey();
    const expireIn = (seconds: number) =>
      db.raw('update api_keys set expires_at = now() + make_interval(secs => ?) where id = ?', [
        seconds,
        key.id,
      ]);
    await expireIn(60);
    expect(await find(key)).toBeDefined();
    await expireIn(-1);
    expect(await find(key)).toBeUndefined();
  });

  it('stops when its record is erased', async () => {
    const recordId = await makeRecord(db, { accountId: mine });
    const key = await makeKey({ kind: 'record', recordId, scope: 'read' });
    await db('records').where({ id: recordId }).delete();
    expect(await find(key)).toBeUndefined();
  });

  it('records its use, at most once a minute', async () => {
    const key = await makeKey();
    expect(await lastUsed(key)).toBeNull();
    await find(key);
    const first = await lastUsed(key);
    expect(first).toBeInstanceOf(Date);
    await Promise.all([find(key), find(key), find(key)]);
    expect(await lastUsed(key)).toEqual(first);
    await db.raw(`update api_keys set last_used_at = last_used_at - interval '61 seconds' where id = ?`, [
      key.id,
    ]);
    await find(key);
    expect((await lastUsed(key))?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Infinity);
  });

  it('cannot be of a record and full, of a record without one, or of an account with one', async () => {
    const recordId = await makeRecord(db, { accountId: mine });
    for (const faulty of [
      { kind: 'record', recordId, scope: 'full' },
      { kind: 'record', recordId: null, scope: 'read' },
      { kind: 'account', recordId, scope: 'read' },
    ] as const) {
      await expect(makeKey(faulty)).rejects.toThrow('check constraint');
    }
    await expect(makeKey({ kind: 'record', recordId: newId('record'), scope: 'read' })).rejects.toThrow(
      'foreign key',
    );
  });

  it('is deleted with its account', async () => {
    const key = await makeKey();
    expect(await findAccount(db, mine)).toMatchObject({ id: mine, name: 'An account' });
    await db('accounts').where({ id: mine }).delete();
    expect(await find(key)).toBeUndefined();
    expect(await findAccount(db, mine)).toBeUndefined();
  });
});
