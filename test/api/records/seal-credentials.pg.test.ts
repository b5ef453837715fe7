// Source credentials over the API: set at creation and by PATCH, never returned, bound to their origin.
import { describe, expect, it } from 'vitest';
import { openField, sourceCredentialsContext, unwrapDataKey } from '../../../core/crypto/envelope.ts';
import { AUTH_TYPES, type AuthType } from '../../../core/source-credentials.ts';
import { findRecord } from '../../../db/records/records.ts';
import { findCredentials } from '../../../db/records/source-credentials.ts';
import { type Answer, useApi } from '../../support/api/api.ts';
import { countLines } from '../../db/factories.ts';

const api = useApi();
const url = 'https://example.com/prices.csv';
const SECRET = 'kept-very-secret';

const GIVEN: Record<AuthType, Record<string, string>> = {
  none: {},
  basic: { authUsername: `user-${SECRET}`, authPassword: SECRET },
  bearer: { authToken: SECRET },
  api_key_header: { authHeaderName: `X-${SECRET}`, authHeaderValue: SECRET },
  api_key_query: { authQueryParam: SECRET, authQueryValue: SECRET },
};

const create = (body: Record<string, unknown>) => api.call('POST', '/v1/sources', { body: { url, ...body } });
const patch = (id: string, body: Record<string, unknown>) => api.call('PATCH', `/v1/sources/${id}`, { body });

async function createWith(authType: AuthType): Promise<string> {
  return (await create({ authType, ...GIVEN[authType] })).body.id;
}

/** The credentials that an activity would decrypt for this origin. */
async function opened(recordId: string, origin = 'https://example.com'): Promise<unknown> {
  const record = await findRecord(api.db, recordId);
  const stored = await findCredentials(api.db, recordId, record?.authVersion ?? -1);
  if (stored === undefined || stored.sealed === null) return null;
  const dataKey = unwrapDataKey(
    api.services.config.keyEncryptionKeys,
    stored.accountId,
    stored.wrappedDataKey,
  );
  const context = sourceCredentialsContext(stored.accountId, recordId, origin);
  return JSON.parse(openField(dataKey, stored.sealed, context));
}

describe('interface 2.4: values are encrypted, and responses only confirm that auth is configured', () => {
  it.each([...AUTH_TYPES])('%s, at creation', async (authType) => {
    const { status, body, text } = await create({ authType, ...GIVEN[authType] });
    expect(status).toBe(201);
    expect(body.auth).toEqual({ type: authType, configured: authType !== 'none' });
    expect(text).not.toContain(SECRET);
    expect(await opened(body.id)).toEqual(authType === 'none' ? null : GIVEN[authType]);
  });

  it.each([...AUTH_TYPES])('%s, by PATCH, whatever it was before', async (authType) => {
    const id = await createWith('basic');
    const before = (await findRecord(api.db, id))?.authVersion ?? 0;
    api.workflows.calls.length = 0;
    const { status, body, text } = await patch(id, { authType, ...GIVEN[authType] });
    expect(status).toBe(200);
    expect(body.auth).toEqual({ type: authType, configured: authType !== 'none' });
    expect(text).not.toContain(SECRET);
    expect(await opened(id)).toEqual(authType === 'none' ? null : GIVEN[authType]);
    expect((await findRecord(api.db, id))?.authVersion).toBe(before + 1);
    expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id }]);
  });

  it('is in no other response, in no log line, and in no table', async () => {
    const id = await createWith('bearer');
    const answers = [
      await api.call('GET', `/v1/sources/${id}`),
      await api.call('GET', '/v1/sources?limit=200'),
      await patch(id, { name: 'New name' }),
      await api.call('POST', `/v1/sources/${id}/pause`),
    ];
    for (const { text } of answers) expect(text).not.toContain(SECRET);
    expect(api.logLines.join('')).not.toContain(SECRET);
    for (const table of Object.keys(await countLines(api.db))) {
      const text = JSON.stringify(await api.db(table), (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      );
      expect(text).not.toContain(SECRET);
    }
  });

  it('can belong to a session’s record, and stays when that is kept', async () => {
    const made = await api.call('POST', '/v1/sessions', {
      key: null,
      body: { url, authType: 'bearer', ...GIVEN.bearer },
    });
    const { token, source } = made.body;
    expect(source.auth).toEqual({ type: 'bearer', configured: true });
    const before = await findCredentials(api.db, source.id, 0);
    const kept = await api.call('POST', '/v1/sources/self/keep', { body: { token } });
    expect(kept.body.auth).toEqual({ type: 'bearer', configured: true });
    expect(await opened(source.id)).toEqual(GIVEN.bearer);
    const after = await findCredentials(api.db, source.id, 0);
    expect(after?.accountId).toBe(api.accountId);
    expect(after?.sealed?.equals(before?.sealed ?? Buffer.alloc(0))).toBe(false);
  });

  it('prevents keeping the record when it cannot be decrypted', async () => {
    const made = await api.call('POST', '/v1/sessions', {
      key: null,
      body: { url, authType: 'bearer', ...GIVEN.bearer },
    });
    const { token, source } = made.body;
    await api
      .db('source_credentials')
      .where({ recordId: source.id })
      .update({ sealed: Buffer.alloc(60) });
    const refused = await api.call('POST', '/v1/sources/self/keep', { body: { token } });
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect((await api.call('GET', '/v1/sources/self', { key: token })).status).toBe(200);
    await api.call('PATCH', '/v1/sources/self', { key: token, body: { authType: 'none' } });
    expect((await api.call('POST', '/v1/sources/self/keep', { body: { token } })).status).toBe(200);
  });
});

describe('a URL of another origin', () => {
  const faultOf = ({ status, body }: Answer) => [status, body.errors?.[0]?.pointer, body.errors?.[0]?.code];

  it.each([
    'http://example.com/prices.csv',
    'https://example.com:8443/prices.csv',
    'https://www.example.com/prices.csv',
  ])('%s needs the secret again, or none', async (elsewhere) => {
    const id = await createWith('api_key_header');
    const refused = await patch(id, { url: elsewhere });
    expect(faultOf(refused)).toEqual([422, '/authType', 'credentials_required']);
    expect((await findRecord(api.db, id))?.url).toBe(url);
    expect((await patch(id, { url: elsewhere, authType: 'bearer', authToken: SECRET })).status).toBe(200);
    expect(await opened(id, new URL(elsewhere).origin)).toEqual({ authToken: SECRET });
    await expect(opened(id)).rejects.toThrow('cannot be opened');
    expect((await patch(id, { url, authType: 'none' })).body).toMatchObject({
      url,
      auth: { type: 'none', configured: false },
    });
    expect((await patch(id, { url: elsewhere })).status).toBe(200);
  });

  it('of the same origin keeps the secret', async () => {
    const id = await createWith('bearer');
    expect((await patch(id, { url: 'https://EXAMPLE.com:443/other.csv?x=1' })).status).toBe(200);
    expect(await opened(id)).toEqual(GIVEN.bearer);
  });

  it('is never combined with a secret that is set at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const id = await createWith('none');
      const [moved, secured] = await Promise.all([
        patch(id, { url: 'https://evil.example.org/' }),
        patch(id, { authType: 'bearer', authToken: SECRET }),
      ]);
      expect(secured.status).toBe(200);
      const record = await findRecord(api.db, id);
      // Either the secret came first and the move was refused, or the secret was set for the new URL.
      expect(moved.status).toBe(record?.url === url ? 422 : 200);
      expect(await opened(id, new URL(record?.url ?? '').origin)).toEqual({ authToken: SECRET });
    }
  });
});

describe('refuses', () => {
  it.each([
    [{ authType: 'oauth' }, '/authType', 'invalid_value'],
    [{ authToken: SECRET }, '/authType', 'required'],
    [{ authType: 'bearer' }, '/authToken', 'required'],
    [{ authType: 'basic', authUsername: 'u' }, '/authPassword', 'required'],
    [{ authType: 'none', authToken: SECRET }, '/authToken', 'invalid_value'],
    [{ authType: 'bearer', authToken: `${SECRET}\r\nx: y` }, '/authToken', 'invalid_value'],
    [{ authType: 'basic', authUsername: `a:${SECRET}`, authPassword: '' }, '/authUsername', 'invalid_value'],
    [
      { authType: 'api_key_header', authHeaderName: 'Host', authHeaderValue: SECRET },
      '/authHeaderName',
      'invalid_value',
    ],
    [
      { authType: 'api_key_header', authHeaderName: 'x y', authHeaderValue: SECRET },
      '/authHeaderName',
      'invalid_value',
    ],
    [
      { authType: 'api_key_header', authHeaderName: 'x', authHeaderValue: `${SECRET}\n` },
      '/authHeaderValue',
      'invalid_value',
    ],
    [
      { authType: 'api_key_query', authQueryParam: 'k', authQueryValue: `${SECRET}\0` },
      '/authQueryValue',
      'invalid_value',
    ],
    [{ authType: 'bearer', authToken: SECRET.repeat(300) }, '/authToken', 'too_long'],
  ])('%j at creation and by PATCH, without repeating it', async (given, pointer, code) => {
    const id = await createWith('none');
    for (const answer of [await create(given), await patch(id, given)]) {
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code })]);
      expect(answer.text).not.toContain(SECRET);
    }
  });
});
