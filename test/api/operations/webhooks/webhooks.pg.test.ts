import { describe, expect, it } from 'vitest';
import { openField, unwrapDataKey, webhookSecretContext } from '../../../../core/crypto/envelope.ts';
import { findAccount } from '../../../../db/accounts/accounts.ts';
import { WebhookModel } from '../../../../db/webhooks/webhooks.ts';
import { useApi } from '../../../support/api/api.ts';
import { disableWebhook } from '../../../support/rows/disable-webhook.ts';
import { createTestRecord, newTestId, testKeys } from '../../../support/rows/factories.ts';

const api = useApi();
const url = 'https://hooks.example.com/in';

const webhooksOf = (recordId: string): string => `/v1/sources/${recordId}/webhooks`;

const openSecret = async (webhookId: string) => (await openSecrets(webhookId))[0];

/** The current secret and the previous one. */
async function openSecrets(webhookId: string): Promise<string[]> {
  const webhook = await WebhookModel.query(api.db).findById(webhookId).throwIfNotFound();
  const account = await findAccount(api.db, api.accountId);
  const dataKey = unwrapDataKey(testKeys, api.accountId, account?.wrappedDataKey ?? Buffer.alloc(0));
  const context = webhookSecretContext(api.accountId, webhookId);
  const { sealedSecret, previousSealedSecret } = webhook;
  return [sealedSecret, previousSealedSecret].flatMap((sealed) =>
    sealed === null ? [] : openField(dataKey, sealed, context),
  );
}

describe('webhooks', () => {
  it('are created with a generated secret, shown once', async () => {
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

  it('regression: are created with a generated secret if it is null', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { body } = await api.call('POST', webhooksOf(id), { body: { url, secret: null } });
    expect(body.secret).toMatch(/^whsec_/);
    const rotated = await api.call('POST', `${webhooksOf(id)}/${body.id}/rotate-secret`, {
      body: { secret: null },
    });
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(body.secret);
  });

  it('accept a given secret unchanged', async () => {
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
    [{ url, secret: 'x'.repeat(513) }, 'validation_failed', '/secret'],
    [{ url, enabled: null }, 'validation_failed', '/enabled'],
    [{ url, eventTypes: [] }, 'validation_failed', '/eventTypes'],
    [{ url, eventTypes: ['delta', 'delta'] }, 'validation_failed', '/eventTypes'],
    [{ url, eventTypes: ['check'] }, 'validation_failed', '/eventTypes/0'],
    [{ url, description: 'a\u0007b' }, 'validation_failed', '/description'],
    [{ url, filters: { changeTypes: [] } }, 'validation_failed', '/filters/changeTypes'],
    [{ url, filters: { columns: [''] } }, 'validation_failed', '/filters/columns/0'],
    [{ url, filters: { minChanges: 0 } }, 'validation_failed', '/filters/minChanges'],
    [{ url, filters: { unknown: 1 } }, 'validation_failed', '/filters/unknown'],
    [{ url, filters: [] }, 'validation_failed', '/filters'],
    [{ url, include: 'all' }, 'validation_failed', '/include'],
    [{ url, maxBodyBytes: 16_383 }, 'validation_failed', '/maxBodyBytes'],
    [{ url, maxBodyBytes: 1_048_577 }, 'validation_failed', '/maxBodyBytes'],
    [{ url, fields: [] }, 'validation_failed', '/fields'],
    [{ url, ordered: null }, 'validation_failed', '/ordered'],
    [{ url, onFailure: 'stop' }, 'validation_failed', '/onFailure'],
    [{ url, format: 'xml' }, 'validation_failed', '/format'],
    [{ url, fields: ['a', 'a'] }, 'validation_failed', '/fields'],
    [{ url, fields: ['\u0000'] }, 'validation_failed', '/fields/0'],
    [{ url, disabledReason: 'x' }, 'validation_failed', '/disabledReason'],
    [{ url, quietHours: 0 }, 'validation_failed', '/quietHours'],
    [{ url, failingAfter: 0 }, 'validation_failed', '/failingAfter'],
    [{ url, failingAfter: 101 }, 'validation_failed', '/failingAfter'],
    [{ url, digest: { every: 'hour' } }, 'validation_failed', '/digest'],
    [{ url, format: 'slack', digest: { every: 'week' } }, 'validation_failed', '/digest/every'],
    [{ url, format: 'slack', digest: { every: 'hour', at: '08:00' } }, 'validation_failed', '/digest/at'],
    [{ url, format: 'slack', digest: { every: 'day', at: '24:00' } }, 'validation_failed', '/digest/at'],
    [
      { url, format: 'slack', digest: { every: 'day', timeZone: 'Mars/Base' } },
      'validation_failed',
      '/digest/timeZone',
    ],
    [{ url, format: 'slack', ordered: true, digest: { every: 'hour' } }, 'validation_failed', '/digest'],
    [{ url, condition: [] }, 'validation_failed', '/condition'],
    [{ url, condition: {} }, 'validation_failed', '/condition'],
    [
      { url, condition: { and: [{ '<': [{ var: 'rows' }, 1] }] } },
      'validation_failed',
      '/condition/and/0/</0/var',
    ],
  ])('refuse %j', async (body, code, pointer) => {
    const id = await createTestRecord(api.db, api.accountId);
    const answer = await api.call('POST', webhooksOf(id), { body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] });
    expect(answer.body.errors).toHaveLength(1);
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
    expect((await api.call('DELETE', one)).status).toBe(204);
    expect((await api.call('DELETE', one)).status).toBe(404);
    expect((await api.call('PATCH', one, { body: { enabled: true } })).status).toBe(404);
  });

  it('of another record cannot be accessed', async () => {
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

  it('keep their settings, and show them so that they can be sent back', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const settings = {
      url,
      enabled: false,
      description: 'The shop window,\nand the till',
      eventTypes: ['delta', 'schema.changed'],
      filters: { changeTypes: ['changed'], columns: ['price', '__proto__'], minChanges: 3 },
      condition: { some: [{ var: 'rows' }, { '<': [{ percent: '__proto__' }, -5] }] },
      include: 'rows',
      maxBodyBytes: 1_048_576,
      fields: ['price', '__proto__'],
      format: 'cloudevents',
      ordered: true,
      onFailure: 'skip',
      quietHours: 48,
      failingAfter: 5,
      digest: null,
    };
    const { body } = await api.call('POST', webhooksOf(id), { body: settings });
    expect(body).toMatchObject({ ...settings, disabledReason: null, failingSince: null });
    expect(body.disabledAt).not.toBeNull();
    const one = `${webhooksOf(id)}/${body.id}`;
    const { secret: _secret, ...shown } = body;
    expect((await api.call('GET', one)).body).toEqual(shown);
    const sentBack = Object.fromEntries(Object.keys(settings).map((name) => [name, shown[name]]));
    const again = await api.call('PATCH', one, { body: sentBack });
    expect(again.body).toEqual(shown);
    expect((await api.call('PATCH', one, { body: {} })).body).toEqual(shown);
    const narrower = await api.call('PATCH', one, { body: { filters: { minChanges: 5 } } });
    expect(narrower.body.filters).toEqual({ minChanges: 5 });
    const none = await api.call('PATCH', one, { body: { filters: null, description: null } });
    expect(none.body).toMatchObject({ filters: null, description: null, eventTypes: settings.eventTypes });
    expect((await api.call('PATCH', one, { body: { filters: {} } })).body.filters).toBeNull();
  });

  it.each([[{ enabled: true }], [{ enabled: true, url }], [{ url: 'https://hooks.example.com/other' }]])(
    'forget what the endpoint did before when they are given %j',
    async (changes) => {
      const id = await createTestRecord(api.db, api.accountId);
      const { body: webhook } = await api.call('POST', webhooksOf(id), { body: { url } });
      const one = `${webhooksOf(id)}/${webhook.id}`;
      const since = new Date('2026-01-01T00:00:00.000Z');
      await api.db('webhooks').where({ id: webhook.id }).update({ failingSince: since, disabledAt: since });
      await disableWebhook(api.db, webhook.id, 'Nothing but failures.');
      expect((await api.call('GET', one)).body).toMatchObject({
        failingSince: since.toISOString(),
        disabledAt: since.toISOString(),
        disabledReason: 'Nothing but failures.',
      });
      const refused = await api.call('PATCH', one, { body: { ...changes, url: 'http://10.0.0.1/' } });
      expect(refused.body).toMatchObject({ code: 'url_not_allowed', errors: [{ pointer: '/url' }] });
      const { body } = await api.call('PATCH', one, { body: changes });
      expect(body).toMatchObject({ ...changes, failingSince: null, disabledReason: null });
      expect(body.disabledAt).toBe(body.enabled ? null : since.toISOString());
    },
  );

  it('keep their history of failures when they are given the same URL', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { body: webhook } = await api.call('POST', webhooksOf(id), { body: { url } });
    const failingSince = new Date('2026-01-01T00:00:00.000Z');
    await api.db('webhooks').where({ id: webhook.id }).update({ failingSince });
    await disableWebhook(api.db, webhook.id, 'Nothing but failures.');
    const changes = { url, description: 'The same endpoint' };
    const { body } = await api.call('PATCH', `${webhooksOf(id)}/${webhook.id}`, { body: changes });
    expect(body).toMatchObject({
      ...changes,
      enabled: false,
      failingSince: failingSince.toISOString(),
      disabledReason: 'Nothing but failures.',
    });
  });

  it('are shown as notices of the record when their failures disabled them', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const [off, ended] = [
      await api.call('POST', webhooksOf(id), { body: { url, enabled: false } }),
      await api.call('POST', webhooksOf(id), { body: { url } }),
    ];
    expect((await api.call('GET', `/v1/sources/${id}`)).body.notices).toEqual([]);
    const at = new Date('2026-01-01T00:00:00.000Z');
    await disableWebhook(api.db, ended.body.id, 'The endpoint answered 410 Gone.');
    await api.db('webhooks').where({ id: ended.body.id }).update({ disabledAt: at });
    const { body, text } = await api.call('GET', `/v1/sources/${id}`);
    expect(body.notices).toEqual([
      {
        code: 'webhook_disabled',
        detail: 'The endpoint answered 410 Gone.',
        webhookId: ended.body.id,
        at: at.toISOString(),
      },
    ]);
    expect(text).not.toContain(url);
    await api.call('PATCH', `${webhooksOf(id)}/${ended.body.id}`, { body: { enabled: true } });
    expect((await api.call('GET', `/v1/sources/${id}`)).body.notices).toEqual([]);
    expect(off.body.enabled).toBe(false);
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

describe('the secret of a webhook', () => {
  it('is rotated: the new one is shown once, and the previous one still signs for a day', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { body: webhook } = await api.call('POST', webhooksOf(id), { body: { url } });
    const one = `${webhooksOf(id)}/${webhook.id}`;
    expect(webhook.previousSecretUntil).toBeNull();
    const { status, body } = await api.call('POST', `${one}/rotate-secret`);
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(webhook.secret);
    expect(await openSecrets(webhook.id)).toEqual([body.secret, webhook.secret]);
    const leftMs = Date.parse(body.previousSecretUntil) - Date.now();
    expect(Math.abs(leftMs - 24 * 3_600_000)).toBeLessThan(60_000);
    const shown = await api.call('GET', one);
    expect(shown.body.previousSecretUntil).toBe(body.previousSecretUntil);
    expect(shown.text).not.toContain(body.secret);
    expect(shown.text).not.toContain(webhook.secret);
  });

  it('stops signing at the second rotation after it', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { body: webhook } = await api.call('POST', webhooksOf(id), { body: { url, secret: 'first' } });
    const rotate = (secret: string) =>
      api.call('POST', `${webhooksOf(id)}/${webhook.id}/rotate-secret`, { body: { secret } });
    expect((await rotate('second')).body.secret).toBe('second');
    await rotate('third');
    expect(await openSecrets(webhook.id)).toEqual(['third', 'second']);
    const refused = await rotate('whsec_short');
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/secret' }] });
    expect(await openSecrets(webhook.id)).toEqual(['third', 'second']);
  });

  it('is rotated once by a repeated request, whose replayed response does not show it', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { body: webhook } = await api.call('POST', webhooksOf(id), { body: { url } });
    const rotate = () =>
      api.call('POST', `${webhooksOf(id)}/${webhook.id}/rotate-secret`, {
        headers: { 'idempotency-key': `rotate-${webhook.id}` },
      });
    const first = await rotate();
    const again = await rotate();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual({ ...first.body, secret: undefined });
    expect(await openSecrets(webhook.id)).toEqual([first.body.secret, webhook.secret]);
  });
});
