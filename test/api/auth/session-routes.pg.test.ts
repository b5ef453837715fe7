// Sign-in links, the list of a user's sessions, and the tokens with which the dashboard calls the API.
import { describe, expect, it } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import {
  browserAt,
  newUser,
  newUserWithPassword,
  PASSWORD,
  signInByLink,
} from '../../support/api/browser.ts';
import { createAccount, createTestRecord } from '../../support/rows/factories.ts';

const api = useApi({ baseUrl: 'https://watch.example' });

const DAY_MS = 86_400_000;

async function signedIn(accountId = api.accountId) {
  const { user } = await newUser(api, accountId);
  return { user, browser: await signInByLink(api, user) };
}

const tokenOf = async (browser: ReturnType<typeof browserAt>): Promise<string> =>
  (await browser.post('/auth/token')).body.token;

const reaches = async (key: string): Promise<boolean> =>
  (await api.call('GET', '/v1/sources', { key })).status === 200;

describe('a sign-in link', () => {
  it('works once, and sets a cookie for this host only', async () => {
    const { user, link } = await newUser(api);
    const browser = browserAt(api);
    const answer = await browser.post('/auth/link', { token: link });
    expect(answer).toMatchObject({ status: 200, body: {} });
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-recordwatch=[\w.%-]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await browser.get('/auth/get-session')).body).toEqual({
      user: { ...user, hasPassword: false, pendingEmail: null },
      session: { id: expect.stringMatching(/^lgn_/), expiresAt: expect.any(String) },
      temporalUi: null,
    });
    const again = await browserAt(api).post('/auth/link', { token: link });
    expect(again).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('works for one of many concurrent uses', async () => {
    const { link } = await newUser(api);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => browserAt(api).post('/auth/link', { token: link })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(7).fill(401),
    ]);
  });

  it('shows its purpose and user before it is used, and works afterwards', async () => {
    const { user, link } = await newUser(api);
    const browser = browserAt(api);
    for (let i = 0; i < 2; i += 1) {
      expect(await browser.post('/auth/link/look', { token: link })).toMatchObject({
        status: 200,
        body: { kind: 'sign-in', email: user.email },
      });
    }
    expect(browser.cookie()).toBe('');
    expect(await api.db('loginSessions').where({ userId: user.id })).toEqual([]);
    expect((await browser.post('/auth/link', { token: link })).status).toBe(200);
    for (const token of [link, 'a'.repeat(43)]) {
      expect(await browser.post('/auth/link/look', { token })).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      });
    }
    expect((await api.call('GET', `/auth/link?token=${link}`, { key: null })).status).toBe(405);
  });

  it('does not work after its user was deleted', async () => {
    const { user, link } = await newUser(api);
    await api.db('users').where({ id: user.id }).delete();
    for (const path of ['/auth/link/look', '/auth/link']) {
      expect((await browserAt(api).post(path, { token: link })).status).toBe(401);
    }
  });

  it('expires after an hour, with the same message as one that never existed', async () => {
    const { link } = await newUser(api);
    await rawRows(api.db, `update verifications set expires_at = expires_at - interval '1 hour'`);
    const old = await browserAt(api).post('/auth/link', { token: link });
    const unknown = await browserAt(api).post('/auth/link', { token: 'a'.repeat(43) });
    expect(old).toMatchObject({ status: 401 });
    expect(old.body.detail).toBe(unknown.body.detail);
  });
});

describe('a session', () => {
  it('needs its own cookie, unchanged and made by the service', async () => {
    const { browser } = await signedIn();
    const [name, value = ''] = browser.cookie().split('=');
    const [token = ''] = value.split('.');
    for (const cookie of [
      '',
      `${name}=x`,
      `${name}=${token}`,
      `${name}=${token}.${'A'.repeat(44)}`,
      'other=1',
    ]) {
      const answer = await api.call('GET', '/auth/get-session', { key: null, headers: { cookie } });
      expect(answer).toMatchObject({ status: 200, body: null });
    }
  });

  it('expires a day after its last use, and thirty days after it began', async () => {
    const { user, browser } = await signedIn();
    await api
      .db('loginSessions')
      .where({ userId: user.id })
      .update({ expiresAt: new Date(Date.now() + 60_000) });
    const { body } = await browser.get('/auth/get-session');
    expect(Date.parse(body.session.expiresAt) - Date.now()).toBeGreaterThan(0.99 * DAY_MS);
    const createdAt = new Date(Date.now() - 29.5 * DAY_MS);
    await api
      .db('loginSessions')
      .where({ userId: user.id })
      .update({
        createdAt,
        expiresAt: new Date(Date.now() + 60_000),
      });
    await browser.get('/auth/get-session');
    const bound = Date.parse((await browser.get('/auth/get-session')).body.session.expiresAt);
    expect(bound).toBe(createdAt.getTime() + 30 * DAY_MS);
    await api
      .db('loginSessions')
      .where({ userId: user.id })
      .update({ expiresAt: new Date(Date.now() - 1) });
    expect((await browser.get('/auth/get-session')).body).toBeNull();
    expect(browser.cookie()).toBe('');
  });

  it('is refused when it ends between its lookup and its use', async () => {
    const { browser } = await signedIn();
    await rawRows(api.db, `update login_sessions set expires_at = now() + interval '1 hour'`);
    await rawRows(
      api.db,
      `create function ended() returns trigger language plpgsql as 'begin return null; end';
       create trigger ended before update on login_sessions for each row execute function ended()`,
    );
    const answers = [await browser.get('/auth/get-session'), await browser.post('/auth/token')];
    await rawRows(api.db, 'drop function ended cascade');
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(answers[0]?.body).toBeNull();
  });

  it('is new at each sign-in, and the browser’s previous one ends', async () => {
    const { user, browser } = await signedIn();
    const before = browser.cookie();
    const token = await tokenOf(browser);
    const { link } = await newUser(api);
    await browser.post('/auth/link', { token: link });
    expect(browser.cookie()).not.toBe(before);
    expect(await reaches(token)).toBe(false);
    expect(await api.db('loginSessions').where({ userId: user.id })).toEqual([]);
  });

  it('is stored only as a hash', async () => {
    const { user, browser } = await signedIn();
    const { link } = await newUser(api);
    const token = await tokenOf(browser);
    const cookie = decodeURIComponent(browser.cookie().split('=').slice(1).join('='));
    const tables = ['users', 'login_sessions', 'login_methods', 'verifications', 'dashboard_tokens'];
    const texts = await Promise.all(
      tables.map((name) =>
        rawRows<{ text: string }>(api.db, `select json_agg(t)::text as text from ${name} t`),
      ),
    );
    const all = texts
      .flat()
      .map(({ text }) => text)
      .join('\n');
    expect(all).toContain(user.id);
    for (const secret of [link, token, cookie.split('.')[0] ?? '']) {
      expect(secret.length).toBeGreaterThan(30);
      for (const form of [secret, Buffer.from(secret).toString('hex')]) expect(all).not.toContain(form);
    }
  });
});

describe('sessions', () => {
  it('are listed without their tokens, and end one by one or all but this one', async () => {
    const { user, browser } = await signedIn();
    const [second, third] = [await signInByLink(api, user), await signInByLink(api, user)];
    const list = async () => (await browser.get('/auth/sessions')).body.sessions;
    const sessions = await list();
    expect(sessions).toHaveLength(3);
    expect(Object.keys(sessions[0]).sort()).toEqual(
      ['address', 'createdAt', 'id', 'isCurrent', 'lastUsedAt', 'userAgent'].sort(),
    );
    expect(sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    expect(sessions[2]).toMatchObject({ isCurrent: true, address: '127.0.0.1', userAgent: 'lightMyRequest' });
    const token = await tokenOf(third);
    expect(await reaches(token)).toBe(true);
    expect((await browser.delete(`/auth/sessions/${sessions[0].id}`)).status).toBe(204);
    expect(await reaches(token)).toBe(false);
    expect((await third.get('/auth/get-session')).body).toBeNull();
    expect((await second.get('/auth/get-session')).body.user.id).toBe(user.id);
    expect((await browser.post('/auth/sessions/end-others')).status).toBe(200);
    expect((await second.get('/auth/get-session')).body).toBeNull();
    expect(await list()).toHaveLength(1);
  });

  it('of others cannot be seen or ended', async () => {
    const [mine, other] = [await signedIn(), await signedIn()];
    const [{ id }] = (await other.browser.get('/auth/sessions')).body.sessions;
    expect(await mine.browser.delete(`/auth/sessions/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await mine.browser.delete('/auth/sessions/x')).status).toBe(404);
    expect((await other.browser.get('/auth/get-session')).body.user.id).toBe(other.user.id);
    for (const path of ['/auth/sessions']) expect((await browserAt(api).get(path)).status).toBe(401);
    for (const path of ['/auth/token', '/auth/sessions/end-others', '/auth/change-password']) {
      const body = path.endsWith('password') ? { newPassword: 'a'.repeat(12) } : {};
      expect(await browserAt(api).post(path, body)).toMatchObject({ status: 401 });
    }
  });
});

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe('a token of the dashboard', () => {
  it('reaches what the account reaches, and nothing else', async () => {
    const accountId = await createAccount(api.db);
    const recordId = await createTestRecord(api.db, accountId);
    const { browser, user } = await signedIn(accountId);
    const { body } = await browser.post('/auth/token');
    expect(body).toEqual({
      token: expect.stringMatching(/^cat_dsh_[0-9A-Za-z]{36}$/),
      expiresAt: expect.any(String),
      userId: user.id,
    });
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThan(600_000);
    const { sources } = (await api.call('GET', '/v1/sources', { key: body.token })).body;
    expect(sources.map(({ id }: { id: string }) => id)).toEqual([recordId]);
  });

  it('creates keys that outlast it, while its session lasts', async () => {
    const { browser } = await signedIn();
    await createTestRecord(api.db, api.accountId);
    const key = await tokenOf(browser);
    const made = await api.call('POST', '/v1/apikeys', {
      key,
      body: { name: 'made by hand', scope: 'read' },
    });
    expect(made.status).toBe(201);
    await browser.post('/auth/sign-out');
    expect(await reaches(made.body.key)).toBe(true);
  });

  it('regression: creates none when the sign-in is 15 minutes old, until the password is confirmed', async () => {
    const recordId = await createTestRecord(api.db, api.accountId);
    const { id: userId, email } = await newUserWithPassword(api);
    const browser = browserAt(api);
    await browser.post('/auth/sign-in/email', { email, password: PASSWORD });
    const key = await tokenOf(browser);
    const make = (scope: string, path = '/v1/apikeys') =>
      api.call('POST', path, { key, body: { name: 'made by hand', scope } });
    await api
      .db('loginSessions')
      .where({ userId })
      .update({ createdAt: minutesAgo(16) });
    const ofRecord = `/v1/sources/${recordId}/apikeys`;
    for (const refused of [await make('full'), await make('read'), await make('read', ofRecord)]) {
      expect(refused).toMatchObject({ status: 403, body: { code: 'recent_sign_in_required' } });
    }
    const confirm = (currentPassword: string) => browser.post('/auth/confirm', { currentPassword });
    expect(await confirm(`${PASSWORD}.`)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/currentPassword' }] },
    });
    expect((await make('full')).status).toBe(403);
    expect((await confirm(PASSWORD)).status).toBe(200);
    expect((await make('full')).status).toBe(201);
    await api
      .db('loginSessions')
      .where({ userId })
      .update({ confirmedAt: minutesAgo(16) });
    expect((await make('full')).status).toBe(403);
    // Keys create keys at any time, because a program cannot enter a password.
    const made = await api.call('POST', '/v1/apikeys', { body: { name: 'by a key', scope: 'full' } });
    expect(made.status).toBe(201);
  });

  it('regression: sets no endpoint when the sign-in is 15 minutes old, until the password is confirmed', async () => {
    const recordId = await createTestRecord(api.db, api.accountId, { tier: 'watch' });
    const { id: userId, email } = await newUserWithPassword(api);
    const browser = browserAt(api);
    await browser.post('/auth/sign-in/email', { email, password: PASSWORD });
    const key = await tokenOf(browser);
    const webhooks = `/v1/sources/${recordId}/webhooks`;
    const create = (options: object) =>
      api.call('POST', webhooks, { body: { url: 'https://example.com/a' }, ...options });
    const made = await create({ key });
    expect(made.status).toBe(201);
    const change = (body: object, options: object = { key }) =>
      api.call('PATCH', `${webhooks}/${made.body.id}`, { body, ...options });
    await api
      .db('loginSessions')
      .where({ userId })
      .update({ createdAt: minutesAgo(16) });
    for (const refused of [await create({ key }), await change({ url: 'https://example.com/b' })]) {
      expect(refused).toMatchObject({ status: 403, body: { code: 'recent_sign_in_required' } });
    }
    // Changes that keep the endpoint need no recent sign-in.
    expect((await change({ url: 'https://example.com/a', enabled: false })).status).toBe(200);
    expect((await change({ url: 'https://example.com/c' }, {})).status).toBe(200);
    await browser.post('/auth/confirm', { currentPassword: PASSWORD });
    expect((await change({ url: 'https://example.com/b' })).status).toBe(200);
    expect((await create({ key })).status).toBe(201);
  });

  it('is not confirmed by a user without a password, however recent the sign-in', async () => {
    const { user, browser } = await signedIn();
    expect((await browser.post('/auth/confirm', { currentPassword: PASSWORD })).status).toBe(200);
    await api
      .db('loginSessions')
      .where({ userId: user.id })
      .update({ createdAt: minutesAgo(16) });
    expect((await browser.post('/auth/confirm', { currentPassword: PASSWORD })).status).toBe(422);
    const key = await tokenOf(browser);
    const made = await api.call('POST', '/v1/apikeys', { key, body: { name: 'late', scope: 'read' } });
    expect(made.body.code).toBe('recent_sign_in_required');
  });

  it.each(['sign-out', 'expiry', 'expiry of the session', 'user'])('ends with: %s', async (what) => {
    const { user, browser } = await signedIn();
    const token = await tokenOf(browser);
    expect(await reaches(token)).toBe(true);
    const past = { expiresAt: new Date(Date.now() - 1) };
    if (what === 'sign-out') await browser.post('/auth/sign-out');
    if (what === 'expiry') await api.db('dashboardTokens').update(past);
    if (what === 'expiry of the session')
      await api.db('loginSessions').where({ userId: user.id }).update(past);
    if (what === 'user') await api.db('users').where({ id: user.id }).delete();
    expect(await reaches(token)).toBe(false);
  });

  it('is refused by the MCP server, in the header and in the URL', async () => {
    const { browser } = await signedIn();
    const token = await tokenOf(browser);
    const ask = (url: string, headers: Record<string, string>) =>
      api.app.inject({
        method: 'POST',
        url,
        headers: { accept: 'application/json, text/event-stream', ...headers },
        payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
      });
    const works = await ask('/v1/mcp', { authorization: `Bearer ${api.fullKey}` });
    expect(works.statusCode).toBe(200);
    const inHeader = await ask('/v1/mcp', { authorization: `Bearer ${token}` });
    const inUrl = await ask(`/v1/mcp?token=${token}`, {});
    expect([inHeader.statusCode, inUrl.statusCode]).toEqual([401, 401]);
  });
});

describe('the cookie', () => {
  it('gives no access under /v1', async () => {
    const { browser } = await signedIn();
    for (const path of ['/v1/sources', '/v1/apikeys', '/v1/connected-clients']) {
      expect((await browser.get(path)).status).not.toBe(200);
    }
    expect((await browser.get('/v1/sources')).body.code).toBe('unauthenticated');
    expect((await browser.post('/v1/sources', { url: 'https://example.com/a.csv' })).status).toBe(401);
  });
});

describe('what is not named', () => {
  it.each([
    ['POST', '/auth/sign-in/social'],
    ['POST', '/auth/update-user'],
    ['POST', '/auth/delete-user'],
    ['POST', '/auth/send-verification-email'],
    ['POST', '/auth/set-password'],
    ['POST', '/auth/revoke-sessions'],
    ['GET', '/auth/list-sessions'],
    ['GET', '/auth/verify-email?token=x'],
    ['GET', '/auth/reset-password/x?callbackURL=/'],
    ['GET', '/auth/magic-link/verify?token=x'],
    ['GET', '/auth/callback/github'],
    ['GET', '/auth/error'],
    ['GET', '/auth/ok'],
    ['GET', '/api/auth/get-session'],
  ] as const)('is not there: %s %s', async (method, path) => {
    const { browser } = await signedIn();
    const answer = method === 'GET' ? await browser.get(path) : await browser.post(path);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
