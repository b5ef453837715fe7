import { describe, expect, it } from 'vitest';
import { openField, unwrapDataKey } from '../../core/crypto/envelope.ts';
import { webhookSecretContext } from '../../core/seal-contexts.ts';
import { findAccount } from '../../db/accounts.ts';
import { disableWebhook, WebhookModel } from '../../db/webhooks.ts';
import { useApi } from '../support/api.ts';
import { createTestRecord, newTestId, testKeys } from '../support/factories.ts';

const api = useApi();
const url = 'https://hooks.example.com/in';

const webhooksOf = (recordId: string): string => `/v1/sources/${recordId}/webhooks`;

async function openSecret(webhookId: string): Promise<string> {
  const webhook = await WebhookModel.query(api.db).findById(webhookId).throwIfNotFound();
  const account = await findAccount(api.db, api.accountId);
  const dataKey = unwrapDataKey(testKeys, api.accountId, account?.wrappedDataKey ?? Buffer.alloc(0));
  return openField(dataKey, webhook.sealedSecret, webhookSecretContext(api.accountId, webhookId));
}

describe('webhooks', () => {
  it('are created with a secret made here, shown once', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { status, body } = await api.call('POST', webhooksOf(id), { body: { url } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      sourceId: id,
      url,
      enabled: true,
      disabledReason: null,
      eventTypes: ['delta'],
    });
    expect(body.id).toMatch(/^wh_[0-9a-f]{32}$/);
    expect(body.secret).toMatch(/^whsec_/);
    expect(await openSecret(body.id)).toBe(body.secret);
    const { secret, ...shown } = body;
    const list = await api.call('GET', webhooksOf(id));
    expect(list.body).toEqual({
      sourceId: id,
      count: 1,
      hasMore: false,
      nextCursor: null,
      webhooks: [shown],
    });
    expect(list.text).not.toContain(secret);
  });

  it('take a given secret as it is', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const secret = 'plain words – kept';
    const { body } = await api.call('POST', webhooksOf(id), { body: { url, secret } });
    expect(body.secret).toBe(secret);
    expect(await openSecret(body.id)).toBe(secret);
  });

  it.each([
    [{ url: 'http://192.168.1.1/' }, 'url_not_allowed', '/url'],
    [{ url: 'ftp://example.com' }, 'url_not_allowed', '/url'],
    [{}, 'validation_failed', '/url'],
    [{ url, secret: '' }, 'validation_failed', '/secret'],
    [{ url, secret: 'whsec_short' }, 'validation_failed', '/secret'],
    [{ url, secret: 5 }, 'validation_failed', '/secret'],
    [{ url, enabled: false }, 'validation_failed', '/enabled'],
  ])('refuse %j', async (body, code, pointer) => {
    const id = await createTestRecord(api.db, api.accountId);
    const answer = await api.call('POST', webhooksOf(id), { body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] });
  });

  it('are disabled, enabled again and deleted', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { body: webhook } = await api.call('POST', webhooksOf(id), { body: { url } });
    const one = `${webhooksOf(id)}/${webhook.id}`;
    expect((await api.call('PATCH', one, { body: { enabled: false } })).body.enabled).toBe(false);
    await disableWebhook(api.db, webhook.id, 'The endpoint answered 410.');
    expect((await api.call('GET', webhooksOf(id))).body.webhooks[0].disabledReason).toContain('410');
    expect((await api.call('PATCH', one, { body: { enabled: true } })).body).toMatchObject({
      enabled: true,
      disabledReason: null,
    });
    expect((await api.call('PATCH', one, { body: {} })).body.errors[0]).toMatchObject({
      pointer: '/enabled',
    });
    expect((await api.call('PATCH', one, { body: { url, enabled: true } })).status).toBe(422);
    expect((await api.call('DELETE', one)).status).toBe(204);
    expect((await api.call('DELETE', one)).status).toBe(404);
    expect((await api.call('PATCH', one, { body: { enabled: true } })).status).toBe(404);
  });

  it('of another record are not reached', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const other = await createTestRecord(api.db, api.accountId);
    const { body: webhook } = await api.call('POST', webhooksOf(id), { body: { url } });
    const missing = await api.call('DELETE', `${webhooksOf(other)}/${newTestId('webhook')}`, {
      headers: { 'x-request-id': 'same' },
    });
    const foreign = await api.call('DELETE', `${webhooksOf(other)}/${webhook.id}`, {
      headers: { 'x-request-id': 'same' },
    });
    expect(foreign.text).toBe(missing.text);
    expect((await api.call('GET', webhooksOf(id))).body.count).toBe(1);
  });

  it('are at most twenty, listed in pages', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    for (let count = 0; count < 20; count += 1) {
      expect((await api.call('POST', webhooksOf(id), { body: { url } })).status).toBe(201);
    }
    expect((await api.call('POST', webhooksOf(id), { body: { url } })).body.code).toBe('conflict');
    const first = await api.call('GET', `${webhooksOf(id)}?limit=15&order=asc`);
    const rest = await api.call(
      'GET',
      `${webhooksOf(id)}?limit=15&order=asc&cursor=${first.body.nextCursor}`,
    );
    const ids: string[] = [...first.body.webhooks, ...rest.body.webhooks].map((webhook) => webhook.id);
    expect(ids).toHaveLength(20);
    expect(ids).toEqual(ids.toSorted());
  });
});
