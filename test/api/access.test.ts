import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { mintApiKey } from '../../core/crypto/api-key.ts';
import { allows, SCOPES, type Scope } from '../../core/principal.ts';
import { insertApiKey, revokeApiKey } from '../../db/api-keys.ts';
import { useApi } from '../support/api.ts';
import { commitRows, createAccount, createKey, createTestRecord, newTestId } from '../support/factories.ts';

const api = useApi();
const sameId = { 'x-request-id': 'the-same' };
const SCOPED = OPERATIONS.filter((operation) => operation.scope !== 'public');
const OF_A_RECORD = SCOPED.filter(({ http }) => http.path.includes(':id'));

const pathOf = (path: string, recordId: string): string =>
  path
    .replace(':id', recordId)
    .replace(':deltaEventId', newTestId('deltaEvent'))
    .replace(':snapshotId', 'latest')
    .replace(':webhookId', newTestId('webhook'))
    .replace(':keyId', newTestId('apiKey'))
    .replace(/\/compare.*/, '$&?from=latest');

const BODIES: Readonly<Record<string, object>> = {
  createRecord: { url: 'https://example.com/data.csv' },
  updateRecord: { name: 'Renamed' },
  createWebhook: { url: 'https://example.com/hook' },
  updateWebhook: { enabled: true },
  createDownloadLink: {},
  querySnapshot: {},
  createApiKey: { name: 'For a test', scope: 'read' },
  createRecordApiKey: { name: 'For a test', scope: 'read' },
  keepRecord: { token: mintApiKey('ephemeral').value },
};

async function recordWithData(accountId: string): Promise<string> {
  const id = await createTestRecord(api.db, accountId);
  await commitRows(api.db, id, { a: '{"id":"a"}' });
  return id;
}

describe.each(SCOPED)('$name needs', ({ name, scope, http }) => {
  it('a credential that works', async () => {
    const url = pathOf(http.path, await createTestRecord(api.db, api.accountId));
    const revoked = await createKey(api.db, api.accountId, 'full');
    await revokeApiKey(api.db, { accountId: api.accountId, recordId: null }, revoked.id);
    const bad = [
      null,
      'nonsense',
      `${api.fullKey.slice(0, -1)}${api.fullKey.endsWith('A') ? 'B' : 'A'}`,
      mintApiKey('account').value,
      mintApiKey('ephemeral').value,
      revoked.value,
    ];
    for (const key of bad) {
      const { status, headers, body } = await api.call(http.method, url, { key, body: BODIES[name] });
      expect(status).toBe(401);
      expect(body.code).toBe('unauthenticated');
      expect(headers['www-authenticate']).toBe('Bearer');
    }
  });

  it.each(SCOPES.filter((granted) => allows(granted, scope)))(
    'no more than the scope %s',
    async (granted) => {
      const { value: key } = await createKey(api.db, api.accountId, granted);
      const url = pathOf(http.path, await recordWithData(api.accountId));
      const { status } = await api.call(http.method, url, { key, body: BODIES[name] });
      expect([401, 403]).not.toContain(status);
    },
  );

  it.each(SCOPES.filter((granted) => !allows(granted, scope)))(
    'more than the scope %s',
    async (granted: Scope) => {
      const { value: key } = await createKey(api.db, api.accountId, granted);
      const url = pathOf(http.path, await recordWithData(api.accountId));
      const { body } = await api.call(http.method, url, { key, body: BODIES[name] });
      expect(body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    },
  );
});

it('does not take a key whose prefix is not of the kind that is stored', async () => {
  const { value, ...minted } = mintApiKey('record');
  await insertApiKey(api.db, {
    id: newTestId('apiKey'),
    accountId: api.accountId,
    recordId: null,
    kind: 'account',
    scope: 'full',
    name: 'mixed up',
    ...minted,
  });
  expect((await api.call('GET', '/v1/sources', { key: value })).status).toBe(401);
});

describe('a foreign record', () => {
  let stranger = '';
  let foreignId = '';
  beforeAll(async () => {
    stranger = await createAccount(api.db);
    foreignId = await recordWithData(stranger);
  });

  it.each(OF_A_RECORD)('answers $name as a missing one', async ({ name, http }) => {
    const call = (id: string) =>
      api.call(http.method, pathOf(http.path, id), { headers: sameId, body: BODIES[name] });
    const missing = await call(newTestId('record'));
    const foreign = await call(foreignId);
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(missing.text);
    expect(Object.keys(foreign.headers)).toEqual(Object.keys(missing.headers));
    expect((await call('%00%27--')).text).toBe(missing.text);
  });

  it('stays as it is', async () => {
    for (const { name, http } of OF_A_RECORD) {
      await api.call(http.method, pathOf(http.path, foreignId), { body: BODIES[name] });
    }
    const { value: key } = await createKey(api.db, stranger, 'full');
    const { body } = await api.call('GET', `/v1/sources/${foreignId}`, { key });
    expect(body).toMatchObject({ name: 'Prices', status: 'active' });
    expect((await api.call('GET', `/v1/sources/${foreignId}/webhooks`, { key })).body.count).toBe(0);
    expect(api.door.calls.filter(({ recordId }) => recordId === foreignId)).toEqual([]);
  });
});

describe('a record key', () => {
  it.each(OF_A_RECORD.filter(({ scope }) => scope === 'read'))(
    'reaches its record by $name',
    async ({ http }) => {
      const mine = await recordWithData(api.accountId);
      const sibling = await recordWithData(api.accountId);
      const { value: key } = await createKey(api.db, api.accountId, 'read', mine);
      const call = (id: string) => api.call(http.method, pathOf(http.path, id), { key, headers: sameId });
      expect((await call(sibling)).text).toBe((await call(newTestId('record'))).text);
      const asAccount = await api.call(http.method, pathOf(http.path, mine));
      expect((await call('self')).status).toBe(asAccount.status);
    },
  );
});
