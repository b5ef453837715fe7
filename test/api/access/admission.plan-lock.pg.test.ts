// Interface 5, Availability: API keys and webhooks unlock for the whole account once any one record is on a paid tier.
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import type { Tier } from '../../../core/tiers.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import { createAccount, createKey, createTestRecord, newTestId } from '../../support/rows/factories.ts';

const api = useApi();
const LOCKED = OPERATIONS.filter(({ lock }) => lock !== undefined);

const BODIES: Readonly<Record<string, object>> = {
  createApiKey: { name: 'A key', scope: 'read' },
  createRecordApiKey: { name: 'A key', scope: 'read' },
  createWebhook: { url: 'https://hooks.example.com/in' },
  createAccountWebhook: { url: 'https://hooks.example.com/all' },
  updateWebhook: { enabled: false },
};

const pathOf = (path: string, recordId: string): string =>
  path
    .replace(':id', recordId)
    .replace(':keyId', newTestId('apiKey'))
    .replace(':webhookId', newTestId('webhook'));

interface Owner {
  accountId: string;
  recordId: string;
  key: string;
}

async function ownerOn(tier: Tier): Promise<Owner> {
  const accountId = await createAccount(api.db);
  const recordId = await createTestRecord(api.db, accountId, { tier });
  return { accountId, recordId, key: (await createKey(api.db, accountId, 'full')).value };
}

const setTier = (id: string, tier: Tier) => api.db('records').where({ id }).update({ tier });

const callAs = (
  { recordId, key }: Pick<Owner, 'recordId' | 'key'>,
  { name, http }: (typeof LOCKED)[number],
) => api.call(http.method, pathOf(http.path, recordId), { key, body: BODIES[name] });

/** They make and change neither, except a key for which `answerKeyRequest` has been asked. */
const UNLOCKED = ['previewCondition', 'startKeyRequest', 'collectKey'];

it('the lock covers every operation of keys and webhooks', () => {
  expect(LOCKED.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(BODIES)));
  const ofBoth = OPERATIONS.filter(
    ({ tag, name }) => (tag === 'API keys' || tag === 'Webhooks') && !UNLOCKED.includes(name),
  );
  expect(LOCKED).toEqual(ofBoth);
  expect(LOCKED.filter(({ lock }) => lock?.creates)).toHaveLength(5);
});

/** What an unlocked call answers. */
const answerOf = (name: string): number =>
  // It names no request.
  name === 'answerKeyRequest' ? 422 : 201;

describe.each(LOCKED.filter(({ lock }) => lock?.creates))('$name', (operation) => {
  it('is 402 before any record is on a paid tier, and says what unlocks it', async () => {
    const owner = await ownerOn('free');
    const { body } = await callAs(owner, operation);
    expect(body).toMatchObject({ status: 402, code: 'plan_required' });
    expect(body.detail).toContain(operation.lock?.feature);
    expect(body.detail).toContain('watch or max');
  });

  it.each(['watch', 'max'] as const)('unlocks for all records once any one is on %s', async (tier) => {
    const owner = await ownerOn('free');
    const sibling = await createTestRecord(api.db, owner.accountId, { tier });
    expect((await callAs(owner, operation)).status).toBe(answerOf(operation.name));
    await api.call('DELETE', `/v1/sources/${sibling}`, { key: owner.key });
    expect((await callAs(owner, operation)).status).toBe(402);
  });

  it('does not unlock through another account', async () => {
    await ownerOn('max');
    expect((await callAs(await ownerOn('free'), operation)).status).toBe(402);
  });
});

describe('after a downgrade', () => {
  it('existing keys and webhooks still work, and can be listed, changed and deleted', async () => {
    const owner = await ownerOn('watch');
    const { key, recordId } = owner;
    const at = `/v1/sources/${recordId}`;
    const make = async (path: string, body: object) => (await api.call('POST', path, { key, body })).body;
    const accountKey = await make('/v1/apikeys', BODIES['createApiKey'] ?? {});
    const recordKey = await make(`${at}/apikeys`, BODIES['createRecordApiKey'] ?? {});
    const webhook = await make(`${at}/webhooks`, BODIES['createWebhook'] ?? {});
    await setTier(recordId, 'free');
    for (const value of [accountKey.key, recordKey.key]) {
      expect((await api.call('GET', at, { key: value })).status).toBe(200);
    }
    const status = async (method: 'GET' | 'PATCH' | 'DELETE', path: string, body?: object) =>
      (await api.call(method, path, { key, body })).status;
    expect(await status('GET', '/v1/apikeys')).toBe(200);
    expect(await status('GET', `${at}/apikeys`)).toBe(200);
    expect(await status('GET', `${at}/webhooks`)).toBe(200);
    expect(await status('PATCH', `${at}/webhooks/${webhook.id}`, { enabled: false })).toBe(200);
    expect(await status('PATCH', `${at}/webhooks/${webhook.id}`, { enabled: true })).toBe(200);
    expect(await status('DELETE', `${at}/webhooks/${webhook.id}`)).toBe(204);
    expect(await status('DELETE', `${at}/apikeys/${recordKey.id}`)).toBe(204);
    expect(await status('DELETE', `/v1/apikeys/${accountKey.id}`)).toBe(204);
    for (const value of [accountKey.key, recordKey.key]) {
      expect((await api.call('GET', at, { key: value })).status).toBe(401);
    }
  });
});

describe('an ephemeral session', () => {
  let session: Pick<Owner, 'recordId' | 'key'>;
  beforeAll(async () => {
    const accountId = await createAccount(api.db);
    const recordId = await createTestRecord(api.db, accountId, { tier: 'anonymous' });
    session = { recordId, key: await startSession(api.db, accountId, recordId) };
  });

  it('works', async () => {
    expect((await api.call('GET', '/v1/sources/self', { key: session.key })).body.id).toBe(session.recordId);
  });

  it.each(LOCKED)('gets 402 on $name, and is told about keeping its record', async (operation) => {
    for (const recordId of ['self', session.recordId]) {
      const { body } = await callAs({ ...session, recordId }, operation);
      expect(body).toMatchObject({ status: 402, code: 'plan_required' });
      expect(body.detail).toContain('/keep');
    }
  });
});

async function startSession(db: Database, accountId: string, recordId: string): Promise<string> {
  const { value, hash } = mintApiKey('ephemeral');
  await db('ephemeral_sessions').insert({
    id: newTestId('session'),
    accountId,
    recordId,
    tokenHash: hash,
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  return value;
}
