import { beforeAll, expect, it } from 'vitest';
import { createCallCounter } from '../../../../db/usage/count-calls.ts';
import { takeCall } from '../../../../api/mcp/methods/call-tool.ts';
import { insertWebhook } from '../../../../db/webhooks/webhooks.ts';
import { markRecordDeleted } from '../../../../db/records/records.ts';
import { revokeApiKey } from '../../../../db/access/api-keys.ts';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { createAccount, createKey, createTestRecord, newTestId } from '../../../support/rows/factories.ts';
import { makeSession } from '../../../support/rows/new-session.ts';

const api = useApi({ minCheckSeconds: 30, rateLimitFactor: 1 });
let accountId: string;
let key: string;

beforeAll(async () => {
  accountId = await createAccount(api.db);
  ({ value: key } = await createKey(api.db, accountId, 'read'));
});

const usage = async () => (await api.call('GET', '/v1/usage', { key })).body;

it('is that of an account without anything', async () => {
  const body = await usage();
  expect(body).toMatchObject({
    tier: 'free',
    isUnlocked: false,
    records: 0,
    failingRecords: 0,
    apiKeys: 1,
    webhooks: 0,
    connectedClients: 0,
    mcpCalls: { usedToday: 0, limitPerDay: 200 },
    requestsPerMinute: 120,
    limitsOfRecords: { minCheckIntervalMinutes: 0.5, maxRows: 50_000, retentionDays: 30 },
  });
  expect(body.mcpCalls.resetAt).toMatch(/T00:00:00\.000Z$/);
  expect(Date.parse(body.mcpCalls.resetAt)).toBeGreaterThan(Date.now());
});

it('counts what exists, not what was deleted or belongs to others, and today’s calls', async () => {
  const record = await createTestRecord(api.db, accountId, { tier: 'free' });
  const gone = await createTestRecord(api.db, accountId, { tier: 'max' });
  await createKey(api.db, accountId, 'read', record);
  await createKey(api.db, accountId, 'read', gone);
  const { id: revoked } = await createKey(api.db, accountId, 'read');
  await revokeApiKey(api.db, { accountId, recordId: null }, revoked);
  for (const recordId of [record, gone]) {
    const webhook = { id: newTestId('webhook'), recordId, url: 'https://example.com/hook' };
    await insertWebhook(api.db, { ...webhook, sealedSecret: Buffer.alloc(60) }, 20);
  }
  await markRecordDeleted(api.db, gone);
  await rawRows(api.db, 'update record_heads set consecutive_failures = 1 where record_id = ?', [record]);
  const stranger = await createAccount(api.db);
  await createTestRecord(api.db, stranger);
  const caller = { credentialId: 'any', scope: 'read', tier: 'free', kind: 'account' } as const;
  const countCall = createCallCounter(api.db);
  await takeCall(countCall, { ...caller, accountId });
  await takeCall(countCall, { ...caller, accountId });
  await takeCall(countCall, { ...caller, accountId: stranger });
  expect(await usage()).toMatchObject({
    tier: 'free',
    records: 1,
    failingRecords: 1,
    apiKeys: 2,
    webhooks: 1,
    mcpCalls: { usedToday: 2 },
  });
});

it('has the limits of the highest tier among the records', async () => {
  await createTestRecord(api.db, accountId, { tier: 'watch' });
  expect(await usage()).toMatchObject({
    tier: 'watch',
    isUnlocked: true,
    mcpCalls: { limitPerDay: 2_000 },
    requestsPerMinute: 600,
  });
});

it('requires a credential of a whole account', async () => {
  const { token } = await makeSession(api.db);
  const { status, body } = await api.call('GET', '/v1/usage', { key: token });
  expect([status, body.code]).toEqual([403, 'insufficient_scope']);
});
