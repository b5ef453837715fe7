// How often a webhook sends its messages to people: each at once, or a digest every hour or day.
import { describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { createTestRecord } from '../../support/rows/factories.ts';

const api = useApi();
const url = 'https://hooks.example.com/in';

const webhooksOf = (recordId: string): string => `/v1/sources/${recordId}/webhooks`;

const create = async (body: object) => {
  const recordId = await createTestRecord(api.db, api.accountId);
  return api.call('POST', webhooksOf(recordId), { body });
};

describe('the digest of messages', () => {
  it('is every hour, or once a day at an hour in a time zone', async () => {
    const { body } = await create({ url, format: 'slack', digest: { every: 'day' } });
    expect(body.digest).toEqual({ every: 'day', at: '08:00', timeZone: 'UTC' });
    const path = `${webhooksOf(body.sourceId)}/${body.id}`;
    const patch = (changes: object) => api.call('PATCH', path, { body: changes });
    for (const digest of [
      { every: 'day', at: '17:30', timeZone: 'America/New_York' },
      { every: 'hour' },
      null,
    ]) {
      expect((await patch({ digest })).body.digest).toEqual(digest);
      expect((await api.call('GET', path)).body.digest).toEqual(digest);
    }
    const spelled = await patch({ digest: { every: 'day', at: '17:30', timeZone: 'america/NEW_york' } });
    expect(spelled.body.digest).toMatchObject({ timeZone: 'America/New_York' });
  });

  it('fits the other settings, also after a change of one of them', async () => {
    const { body } = await create({ url, format: 'slack', digest: { every: 'hour' } });
    const path = `${webhooksOf(body.sourceId)}/${body.id}`;
    for (const changes of [{ format: 'json' }, { ordered: true }]) {
      const answer = await api.call('PATCH', path, { body: changes });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/digest' }] } });
    }
    const changed = await api.call('PATCH', path, { body: { format: 'json', digest: null } });
    expect(changed).toMatchObject({ status: 200, body: { format: 'json', digest: null } });
  });

  it('is for webhooks of the account too', async () => {
    const body = { url, format: 'teams', digest: { every: 'hour' } };
    const { status, body: made } = await api.call('POST', '/v1/webhooks', { body });
    expect({ status, digest: made.digest }).toEqual({ status: 201, digest: { every: 'hour' } });
  });
});
