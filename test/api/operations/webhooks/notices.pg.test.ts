// Webhooks that send messages to people: who may have them, where they may send to, and how a reader of mails ends them.
import { describe, expect, it } from 'vitest';
import { unsubscribeUrl } from '../../../../core/notices/unsubscribe.ts';
import { createCursorCodec } from '../../../../core/crypto/cursor.ts';
import { REQUESTED_MAILS_PER_HOUR } from '../../../../api/access/usage-limits.ts';
import { useApi } from '../../../support/api/api.ts';
import { newUser } from '../../../support/api/browser.ts';
import { createAccount, createKey, createTestRecord, testKeys } from '../../../support/rows/factories.ts';

const api = useApi({ smtpUrl: 'smtp://127.0.0.1:1' });
const withoutMails = useApi();
const url = 'https://hooks.example.com/in';

const webhooksOf = (recordId: string): string => `/v1/sources/${recordId}/webhooks`;

const create = async (body: object) => {
  const recordId = await createTestRecord(api.db, api.accountId);
  return api.call('POST', webhooksOf(recordId), { body });
};

/** An account without a paid tier. */
async function freeAccount() {
  const accountId = await createAccount(api.db);
  const { value: key } = await createKey(api.db, accountId, 'full');
  const recordId = await createTestRecord(api.db, accountId, { tier: 'free' });
  const { user } = await newUser(api, accountId);
  const call = (body: object) => api.call('POST', webhooksOf(recordId), { key, body });
  return { key, recordId, mail: `mailto:${user.email}`, call };
}

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

describe('the format of a message', () => {
  it.each(['slack', 'teams', 'discord'])('may be %s', async (format) => {
    expect(await create({ url, format })).toMatchObject({ status: 201, body: { url, format } });
  });

  it('may be ntfy, at the URL of a topic', async () => {
    const topic = 'https://ntfy.example.com/jams';
    expect((await create({ url: topic, format: 'ntfy' })).status).toBe(201);
    const { status, body } = await create({ url, format: 'ntfy', description: 'no topic' });
    expect(status).toBe(201);
    const moved = await api.call('PATCH', `${webhooksOf(body.sourceId)}/${body.id}`, {
      body: { url: 'https://ntfy.example.com/a/b' },
    });
    expect(moved).toMatchObject({ status: 422, body: { errors: [{ pointer: '/url' }] } });
  });

  it('is mail for the address of a user of the account, in any case of letters', async () => {
    const { user } = await newUser(api);
    const { status, body } = await create({ url: `MailTo:${user.email.toUpperCase()}` });
    expect({ status, url: body.url, format: body.format }).toEqual({
      status: 201,
      url: `mailto:${user.email}`,
      format: 'mail',
    });
  });

  it.each([
    [
      'mailto:stranger@example.com',
      undefined,
      'must be the address with which a user of this account signs in',
    ],
    ['mailto:', undefined, 'must be the address with which a user of this account signs in'],
    ['https://example.com/', 'mail', 'must be mailto: and an address'],
    ['mailto:ada@example.com', 'json', 'or the format must be mail'],
  ])('and URL have to fit each other: %s as %s', async (given, format, words) => {
    const { status, body } = await create({ url: given, ...(format !== undefined && { format }) });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/url' }] });
    expect(body.detail).toContain(words);
  });

  it('is not mail for a user of another account', async () => {
    const { mail } = await freeAccount();
    expect((await create({ url: mail })).body.detail).toContain('a user of this account');
  });

  it('stays a mail, because waiting bodies are mails', async () => {
    const { user } = await newUser(api);
    const { body } = await create({ url: `mailto:${user.email}` });
    const path = `${webhooksOf(body.sourceId)}/${body.id}`;
    expect(await api.call('PATCH', path, { body: { url, format: 'slack' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/format' }] },
    });
    expect((await api.call('PATCH', path, { body: { minChanges: 2 } })).status).toBe(422);
    const changed = await api.call('PATCH', path, { body: { filters: { minChanges: 2 } } });
    expect(changed).toMatchObject({ status: 200, body: { filters: { minChanges: 2 } } });
  });

  it('cannot be mail without a mail server', async () => {
    const { user } = await newUser(withoutMails);
    const recordId = await createTestRecord(withoutMails.db, withoutMails.accountId);
    const { status, body } = await withoutMails.call('POST', webhooksOf(recordId), {
      body: { url: `mailto:${user.email}` },
    });
    expect({ status, detail: body.detail }).toEqual({
      status: 422,
      detail: expect.stringContaining('the operator of this service has set up no mail server'),
    });
  });
});

describe('without a paid tier', () => {
  it('an account may have three webhooks of a record, which send mails', async () => {
    const { mail, call } = await freeAccount();
    expect(await call({ url })).toMatchObject({ status: 402, body: { code: 'plan_required' } });
    expect(await call({ url, format: 'slack' })).toMatchObject({ status: 402 });
    for (let count = 0; count < 3; count += 1) expect((await call({ url: mail })).status).toBe(201);
    const { status, body } = await call({ url: mail });
    expect({ status, detail: body.detail }).toEqual({
      status: 409,
      detail:
        'A record has at most 3 webhooks before a record of the account is on a paid tier: delete one first.',
    });
  });

  it('an account may ask for twenty mails an hour beside those of its events', async () => {
    const { call, key, mail, recordId } = await freeAccount();
    const { body } = await call({ url: mail });
    const test = () => api.call('POST', `${webhooksOf(recordId)}/${body.id}/test`, { key, body: {} });
    const statuses: number[] = [];
    for (let asked = 0; asked < REQUESTED_MAILS_PER_HOUR; asked++) statuses.push((await test()).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(await test()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const [delivery] = (await api.call('GET', `${webhooksOf(recordId)}/${body.id}/deliveries`, { key })).body
      .deliveries;
    const again = `${webhooksOf(recordId)}/${body.id}/deliveries/${delivery.id}/redeliver`;
    expect((await api.call('POST', again, { key })).status).toBe(429);
  });

  it('so may the account for several records', async () => {
    const { key, mail } = await freeAccount();
    const post = (body: object) => api.call('POST', '/v1/webhooks', { key, body });
    expect((await post({ url })).status).toBe(402);
    expect(await post({ url: mail })).toMatchObject({ status: 201, body: { format: 'mail', sources: null } });
  });
});

describe('the link in a mail', () => {
  const pathOf = (webhookId: string, mailUrl: string): string =>
    unsubscribeUrl(createCursorCodec(testKeys), '', { webhookId, url: mailUrl });
  /** A page, which the description of the API does not have. */
  const open = async (method: 'GET' | 'POST', path: string) => {
    const headers = method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const body = method === 'GET' ? '' : 'List-Unsubscribe=One-Click';
    const response = await api.app.inject({ method, url: path, headers, payload: body });
    return { status: response.statusCode, text: response.body };
  };

  async function newMailWebhook() {
    const { user } = await newUser(api);
    const { body } = await create({ url: `mailto:${user.email}` });
    const read = async () => (await api.call('GET', `${webhooksOf(body.sourceId)}/${body.id}`)).body;
    return { path: pathOf(body.id as string, body.url as string), read, id: body.id as string };
  }

  it('asks on GET, and changes nothing', async () => {
    const { path, read } = await newMailWebhook();
    const { status, text } = await open('GET', path);
    expect(status).toBe(200);
    expect(text).toContain('<button>Stop these mails</button>');
    expect(await read()).toMatchObject({ enabled: true });
  });

  it('ends the mails on POST without a credential, and says so in the audit log', async () => {
    const { path, read, id } = await newMailWebhook();
    const post = () => open('POST', path);
    expect((await post()).status).toBe(200);
    expect(await read()).toMatchObject({
      enabled: false,
      disabledReason: 'The reader of the mails unsubscribed.',
    });
    expect((await post()).status).toBe(200);
    const { body } = await api.call('GET', `/v1/auditlog`);
    const [entry] = body.entries.filter(({ target }: { target: { id: string } }) => target.id === id);
    expect(entry).toMatchObject({
      action: 'webhook.update',
      door: 'mail',
      actor: { type: 'anonymous' },
      changes: [{ field: 'enabled', before: true, after: false }],
    });
  });

  it('ends nothing but mails, and needs its whole token', async () => {
    const { body } = await create({ url });
    expect((await open('POST', pathOf(body.id as string, url))).status).toBe(200);
    expect((await api.call('GET', `${webhooksOf(body.sourceId)}/${body.id}`)).body.enabled).toBe(true);
    const { path, read, id } = await newMailWebhook();
    // A link in a mail to an earlier address.
    expect((await open('POST', pathOf(id, 'mailto:earlier@example.com'))).status).toBe(200);
    expect(await read()).toMatchObject({ enabled: true });
    for (const method of ['GET', 'POST'] as const) {
      const { status, text } = await open(method, path.slice(0, -1));
      expect({ status, isKnown: text.includes('<button>') }).toEqual({ status: 404, isKnown: false });
    }
    expect(await read()).toMatchObject({ enabled: true });
  });
});
