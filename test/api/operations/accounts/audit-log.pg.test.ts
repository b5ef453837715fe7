// The audit log through every door: who, what, when and from where, without secrets.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createLink } from '../../../../api/auth/links.ts';
import type { Mail } from '../../../../api/auth/mail/mails.ts';
import { AUDIT_DAYS, deleteOldAuditEntries } from '../../../../db/accounts/audit-log.ts';
import {
  browserAt,
  newEmail,
  newUserWithPassword,
  PASSWORD,
  signInByLink,
} from '../../../support/api/browser.ts';
import { createAccount, createKey, createTestRecord, newTestId } from '../../../support/rows/factories.ts';
import { useListeningApi } from '../../../support/api/listening-api.ts';
import { connectNewClient } from '../../../support/api/oauth-browser.ts';
import { until } from '../../../support/until.ts';
import { headersOf, messageOf, post } from '../../mcp/caller.ts';

const mails: Mail[] = [];
const { api, baseUrl } = await useListeningApi({ sendMail: async (mail) => void mails.push(mail) });
const AGENT = 'a test/1.0';

let accountId: string;
let key: { id: string; value: string };
beforeAll(async () => {
  accountId = await createAccount(api.db);
  key = await createKey(api.db, accountId, 'full');
  // Keys and webhooks are unlocked.
  await createTestRecord(api.db, accountId, { tier: 'max' });
});

async function send(method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) {
  const headers = { 'user-agent': AGENT };
  const answer = await api.call(method, url, { key: key.value, headers, ...(body && { body }) });
  expect([url, answer.status < 300 ? 'done' : answer.text]).toEqual([url, 'done']);
  return answer;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into entries freely
async function entries(query = '', of: string = key.value): Promise<any[]> {
  const { status, body } = await api.call('GET', `/v1/auditlog${query}`, { key: of });
  expect(status).toBe(200);
  return body.entries;
}

describe('an entry', () => {
  it('says who, what, when and from where', async () => {
    const before = Date.now();
    const { body, headers } = await send('POST', '/v1/sources', {
      url: 'https://example.com/a.csv',
      name: 'Kettles',
    });
    const [entry] = await entries('?limit=1');
    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_[0-9a-f]{32}$/),
      createdAt: entry.lastAt,
      action: 'record.create',
      actor: { type: 'api_key', id: key.id, name: 'test' },
      target: { type: 'record', id: body.id, name: 'Kettles' },
      door: 'api',
      ip: '127.0.0.1',
      userAgent: AGENT,
      requestId: headers['x-request-id'],
      changes: [],
      count: 1,
      lastAt: expect.any(String),
    });
    expect(Date.parse(entry.createdAt)).toBeGreaterThanOrEqual(before - 1_000);
  });

  it('shows settings before and after, and no secret', async () => {
    const id = await createTestRecord(api.db, accountId, {
      url: 'https://example.com/list?token=old-secret',
    });
    await send('PATCH', `/v1/sources/${id}`, {
      name: 'Renamed',
      url: 'https://example.com/hidden-path?token=new-secret',
      authType: 'bearer',
      authToken: 'the-origins-token',
    });
    const [entry] = await entries('?limit=1');
    expect(entry.changes).toEqual([
      { field: 'name', before: 'Prices', after: 'Renamed' },
      { field: 'url', before: 'https://example.com/…', after: 'https://example.com/…' },
      { field: 'authType', before: 'none', after: 'bearer' },
      { field: 'authToken' },
    ]);
    const { body: webhook } = await send('POST', `/v1/sources/${id}/webhooks`, {
      url: 'https://hooks.example.com/T00/B00/hidden-path',
      secret: 'whsec_aGlkZGVuLXBhdGgtaGlkZGVuLXBhdGgtaGlkZGVu',
    });
    const of = `/v1/sources/${id}/webhooks/${webhook.id}`;
    await send('PATCH', of, { url: 'https://other.example.com/T00/hidden-path', description: 'Ours' });
    await send('POST', `${of}/rotate-secret`, {});
    await send('POST', '/v1/apikeys', { name: 'A key', scope: 'read' });
    const stored = JSON.stringify(await api.db('audit_entries').where({ accountId }));
    for (const secret of [
      'old-secret',
      'new-secret',
      'hidden-path',
      'whsec_',
      'origins-token',
      'cat_live_',
    ]) {
      expect([secret, stored.includes(secret)]).toEqual([secret, false]);
    }
  });

  it('bounds what a caller sends, and hides a key in it', async () => {
    const id = await createTestRecord(api.db, accountId);
    await api.call('POST', `/v1/sources/${id}/pause`, {
      key: key.value,
      headers: { 'user-agent': `curl ${key.value} ${'x'.repeat(5_000)}` },
    });
    await send('PATCH', `/v1/sources/${id}`, {
      ignoreFields: Array.from({ length: 200 }, (_, at) => `column ${at}`),
    });
    const [changed, paused] = await entries('?limit=2');
    expect(paused.userAgent).toMatch(/^curl cat_live_\[hidden\] x+$/);
    expect(paused.userAgent.length).toBeLessThan(300);
    expect(changed.changes[0].after).toHaveLength(501);
  });

  it('counts repeated requests of an hour for a check', async () => {
    const id = await createTestRecord(api.db, accountId);
    for (let times = 0; times < 3; times += 1) await send('POST', `/v1/sources/${id}/check`);
    const found = (await entries('?limit=3')).filter(({ target }) => target.id === id);
    // Two when the hour ends meanwhile.
    expect(found.length).toBeLessThanOrEqual(2);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(found[0].lastAt >= found[0].createdAt).toBe(true);
  });
});

describe('the list', () => {
  it('pages in both orders, and shows no other account’s entries', async () => {
    const all = await entries('?limit=200');
    expect(all.length).toBeGreaterThan(5);
    for (const order of ['asc', 'desc']) {
      const ids: string[] = [];
      for (let cursor = ''; ids.length < all.length;) {
        const url = `/v1/auditlog?limit=3&order=${order}&cursor=${cursor}`;
        const { body } = await api.call('GET', url, { key: key.value });
        ids.push(...body.entries.map(({ id }: { id: string }) => id));
        cursor = body.nextCursor;
        expect(body.hasMore).toBe(ids.length < all.length);
      }
      expect(ids).toEqual((order === 'desc' ? all : all.toReversed()).map(({ id }) => id));
    }
    expect(await entries('', (await createKey(api.db, await createAccount(api.db), 'full')).value)).toEqual(
      [],
    );
  });

  it('loses entries that are too old', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    const age = (days: number) => newTestId('auditEntry', ago(days).getTime());
    const [old, kept] = [age(AUDIT_DAYS + 1), age(AUDIT_DAYS - 1)];
    for (const [id, days] of [
      [old, AUDIT_DAYS + 1],
      [kept, AUDIT_DAYS - 1],
    ] as const) {
      const entry = {
        accountId,
        action: 'record.pause',
        actorType: 'operator',
        targetId: 'x',
        door: 'operator',
        createdAt: ago(days),
      };
      await api.db('audit_entries').insert({ id, ...entry });
    }
    expect(await deleteOldAuditEntries(api.db, 100)).toBe(1);
    expect(await deleteOldAuditEntries(api.db, 100)).toBe(0);
    expect(await api.db('audit_entries').whereIn('id', [old, kept]).pluck('id')).toEqual([kept]);
    await api.db('audit_entries').where({ id: kept }).delete();
  });

  it('regression: keeps what is too old by the fast clock of a worker alone', async () => {
    const id = newTestId('auditEntry', Date.now());
    const entry = {
      accountId,
      action: 'record.pause',
      actorType: 'operator',
      targetId: 'x',
      door: 'operator',
    };
    await api.db('audit_entries').insert({ id, ...entry });
    const fast = Date.now() + (AUDIT_DAYS + 1) * 86_400_000;
    vi.spyOn(Date, 'now').mockReturnValue(fast);
    try {
      expect(await deleteOldAuditEntries(api.db, 100)).toBe(0);
    } finally {
      vi.restoreAllMocks();
    }
    expect(await api.db('audit_entries').where({ id }).delete()).toBe(1);
  });
});

it('an MCP client is in it from its connection to its end', async () => {
  const tokens = await connectNewClient(baseUrl, { key: key.value, scope: 'full', requested: 'mcp:write' });
  const [connected] = await entries('?limit=1');
  expect(connected).toMatchObject({
    action: 'client.connect',
    actor: { type: 'api_key', id: key.id },
    target: { type: 'client', name: 'A client' },
    door: 'oauth',
    ip: '127.0.0.1',
  });
  const params = { name: 'create_source', arguments: { url: 'https://example.com/b.csv', waitSeconds: 0 } };
  const { status } = await post(api, '/v1/mcp', JSON.stringify(messageOf('newer', 'tools/call', params)), {
    authorization: `Bearer ${tokens.access_token}`,
    ...headersOf('newer', 'tools/call', params),
  });
  expect(status).toBe(200);
  const client = { type: 'client', id: connected.target.id, name: 'A client' };
  expect((await entries('?limit=1'))[0]).toMatchObject({
    action: 'record.create',
    actor: client,
    door: 'mcp',
  });
  const { status: ended } = await fetch(new URL('/oauth/revoke', baseUrl), {
    method: 'POST',
    body: new URLSearchParams({ token: tokens.refresh_token, client_id: tokens.clientId }),
  });
  expect(ended).toBe(200);
  const [gone, ...others] = await entries('?limit=3');
  expect(gone).toMatchObject({ action: 'client.disconnect', actor: client, target: client, door: 'oauth' });
  expect(others.map(({ action }) => action)).toEqual(['record.create', 'client.connect']);
});

/** The entry of each of these requests; otherwise why there is none. */
const REQUESTS: Readonly<Record<string, string>> = {
  'POST /auth/sign-up/email': 'nothing: there is no account yet',
  'POST /auth/sign-up/finish': 'account.create',
  'POST /auth/sign-in/email': 'user.sign_in',
  'POST /auth/link': 'user.sign_in',
  'POST /auth/link/look': 'nothing: it reads',
  'POST /auth/sign-out': 'user.sign_out',
  'POST /auth/request-password-reset': 'user.request_password_reset',
  'POST /auth/reset-password': 'user.reset_password',
  'POST /auth/confirm': 'nothing: it makes the sign-in recent; what that permits is audited',
  'POST /auth/change-password': 'user.change_password',
  'POST /auth/token': 'nothing: the token is part of the login, and ends with it',
  'DELETE /auth/sessions/:id': 'user.end_sessions',
  'POST /auth/sessions/end-others': 'user.end_sessions',
  'POST /auth/change-email': 'user.request_email_change',
  'POST /auth/change-email/cancel': 'user.cancel_email_change',
  'POST /auth/change-email/finish': 'user.change_email',
  'POST /auth/change-email/undo': 'user.undo_email_change',
  'POST /auth/delete-account': 'account.delete',
  'POST /oauth/interaction/:uid': 'client.connect',
  'POST /oauth/revoke': 'client.disconnect',
  'POST /oauth/token': 'nothing: tokens are part of the connection',
  'POST /oauth/register': 'nothing: a client that registers belongs to no account',
};

it('knows every request of people and MCP clients that may write', async () => {
  const tree = api.app.printRoutes({ commonPrefix: false });
  const paths = tree.split('\n').reduce<{ found: string[]; parents: string[] }>(
    ({ found, parents }, line) => {
      const [, indent = '', part = ''] = /^([\s│├└─]*)(\S*)/.exec(line) ?? [];
      const path = [...parents.slice(0, indent.length / 4 - 1), part];
      return { found: [...found, path.join('')], parents: path };
    },
    { found: [], parents: [] },
  ).found;
  const writes = new Set<string>();
  for (const path of new Set(paths.filter((each) => /^\/(auth|oauth)\//.test(each)))) {
    const { headers } = await api.app.inject({ method: 'OPTIONS', url: path });
    for (const method of (headers['allow'] ?? '').split(', '))
      if (['POST', 'PATCH', 'PUT', 'DELETE'].includes(method)) writes.add(`${method} ${path}`);
  }
  expect([...writes].toSorted()).toEqual(Object.keys(REQUESTS).toSorted());
});

it('what people do on the pages for their account is in it', async () => {
  const seen = new Set<string>();
  const browser = browserAt(api);
  const email = newEmail();
  const signUp = await createLink(api.db, { kind: 'sign-up', email });
  /** Sends a request that succeeds and must write the entry of the table, by the user or by nobody known. */
  const does = async (request: string, body: object, by = browser, path = request.split(' ')[1] ?? '') => {
    const before = await newest();
    const { status, text } = await (request.startsWith('DELETE') ? by.delete(path) : by.post(path, body));
    expect([request, status < 300 ? 'done' : text]).toEqual([request, 'done']);
    const action = REQUESTS[request] ?? '';
    const entry = await until(request, async () => (await newestOf(action, before))[0]);
    expect(entry).toMatchObject({ door: 'sign-in', ip: '127.0.0.1', requestId: expect.any(String) });
    seen.add(request);
    return entry;
  };
  const newest = async () => (await api.db('audit_entries').max('id as id'))[0]?.['id'] ?? '';
  const newestOf = (action: string, after: string) =>
    api.db('audit_entries').where({ action }).andWhere('id', '>', after);

  const created = await does('POST /auth/sign-up/finish', { token: signUp, name: 'Ada', password: PASSWORD });
  expect(created).toMatchObject({ actorType: 'user', actorName: 'Ada' });
  const userId: string = created.actorId;
  await does('POST /auth/sign-out', {});
  await does('POST /auth/sign-in/email', { email, password: PASSWORD });
  const other = await signInByLink(api, { id: userId });
  await does('POST /auth/sessions/end-others', {});
  expect((await other.get('/auth/get-session')).body).toBe(null);
  await does(
    'POST /auth/link',
    { token: await createLink(api.db, { kind: 'sign-in', userId }) },
    browserAt(api),
  );
  const { body: listed } = await browser.get('/auth/sessions');
  const { id } = listed.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  await does('DELETE /auth/sessions/:id', {}, browser, `/auth/sessions/${id}`);
  await does('POST /auth/change-password', { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` });
  const changes = { newEmail: newEmail(), currentPassword: `${PASSWORD} 2` };
  await does('POST /auth/change-email', changes);
  await does('POST /auth/change-email/cancel', {});
  const change = await createLink(api.db, { kind: 'change-email', userId, email: changes.newEmail });
  const changed = await does('POST /auth/change-email/finish', { token: change });
  expect(changed.changes).toEqual([{ field: 'email', before: email, after: changes.newEmail }]);
  const undo = await createLink(api.db, { kind: 'undo-email', userId, email });
  expect(await does('POST /auth/change-email/undo', { token: undo })).toMatchObject({
    actorType: 'anonymous',
  });

  const user = await newUserWithPassword(api);
  await does('POST /auth/request-password-reset', { email: user.email });
  const { text } = await until('the mail', () => mails.findLast(({ to }) => to === user.email));
  const [, token = ''] = /reset-password#([\w-]+)$/m.exec(text) ?? [];
  await does('POST /auth/reset-password', { token, newPassword: `${PASSWORD} 3` });
  const leaving = await signInByLink(api, { id: userId });
  await does('POST /auth/delete-account', { email }, leaving);
  const expected = Object.keys(REQUESTS).filter((each) => each.includes('/auth/'));
  expect([...seen].toSorted()).toEqual(
    expected.filter((each) => !REQUESTS[each]?.startsWith('nothing')).toSorted(),
  );
});
