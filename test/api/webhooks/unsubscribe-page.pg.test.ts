// The link with which a reader of mails ends them.
import { describe, expect, it } from 'vitest';
import { createCursorCodec } from '../../../core/crypto/cursor.ts';
import { unsubscribeUrl } from '../../../core/notices/unsubscribe.ts';
import { useApi } from '../../support/api/api.ts';
import { newUser } from '../../support/api/browser.ts';
import { createTestRecord, testKeys } from '../../support/rows/factories.ts';

const api = useApi({ smtpUrl: 'smtp://127.0.0.1:1' });
const url = 'https://hooks.example.com/in';

const webhooksOf = (recordId: string): string => `/v1/sources/${recordId}/webhooks`;

const create = async (body: object) => {
  const recordId = await createTestRecord(api.db, api.accountId);
  return api.call('POST', webhooksOf(recordId), { body });
};

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
