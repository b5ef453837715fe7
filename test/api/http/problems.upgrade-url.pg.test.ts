// The URL of the operator's page for paid tiers is in answers with 402 and in the dashboard's settings, and nowhere else.
import { expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { createTestRecord } from '../../support/rows/factories.ts';

const upgradeUrl = 'https://plans.example/upgrade?from=recordwatch';
const api = useApi({ upgradeUrl });

it('is in the refusal that requires a paid tier, and in no other', async () => {
  const recordId = await createTestRecord(api.db, api.accountId, { tier: 'free' });
  const create = () =>
    api.call('POST', `/v1/sources/${recordId}/webhooks`, { body: { url: 'https://example.com/hook' } });
  expect(await create()).toMatchObject({ status: 402, body: { code: 'plan_required', upgradeUrl } });
  const missing = await api.call('GET', '/v1/sources/nothing');
  expect([missing.status, 'upgradeUrl' in missing.body]).toEqual([404, false]);
  await api.db('records').where({ id: recordId }).update({ tier: 'watch' });
  expect((await create()).status).toBe(201);
});

it('is in the settings of the dashboard', async () => {
  const { body } = await api.call('GET', '/dashboard/settings.json', { key: null });
  expect(body.upgradeUrl).toBe(upgradeUrl);
});
