// Connecting an MCP client as the user who is signed in to the dashboard, without a key.
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLink } from '../../../api/auth/links.ts';
import { addUser } from '../../../api/auth/new-user.ts';
import { createPasswords } from '../../../api/auth/passwords.ts';
import { createCapacity } from '../../../api/capacity/capacity.ts';
import { findConnectedCaller } from '../../../db/access/connected-clients.ts';
import { pruneOAuthObjects } from '../../../db/access/oauth-objects.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { RECENT_LOGIN_MINUTES } from '../../../db/access/login-sessions.ts';
import { findUserOfAccount, insertPassword } from '../../../db/access/users.ts';
import { newEmail } from '../../support/api/browser.ts';
import { createAccount, createKey } from '../../support/rows/factories.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import {
  authorizePath,
  newPkce,
  openBrowser,
  REDIRECT_URI,
  registerClient,
  requestTokens,
  type Visit,
} from '../../support/api/oauth-browser.ts';
import { until } from '../../support/until.ts';

const capacity = createCapacity();
const { api, baseUrl } = await useListeningApi({ capacity });

type Browser = ReturnType<typeof openBrowser>;

/** @returns the account that the browser is then signed in to */
async function signIn(browser: Browser, email = newEmail()): Promise<string> {
  const accountId = await createAccount(api.db);
  const user = await addUser(api.db, { accountId, email, name: 'Ada' });
  await signInAs(browser, user.id);
  return accountId;
}

async function signInAs(browser: Browser, userId: string): Promise<void> {
  const token = await createLink(api.db, { kind: 'sign-in', userId });
  const { status } = await browser.visit('/auth/link', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(baseUrl).origin },
    body: JSON.stringify({ token }),
  });
  expect(status).toBe(200);
}

const connected = (accountId: string) => api.db('connectedClients').where({ accountId });

const grantsOf = (accountId: string): Promise<unknown[]> =>
  api
    .db('oauthObjects')
    .where({ kind: 'Grant' })
    .whereRaw(`payload ->> 'accountId' = ?`, [accountId])
    .select('grantId');

/** Statements on this database that wait for a lock. */
const waiting = async (): Promise<number> => {
  const [row] = await rawRows<{ count: number }>(
    api.db,
    `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
};

/** Registers a client and opens its consent page. */
async function beginConsent(browser: Browser) {
  const clientId = await registerClient(baseUrl);
  const pkce = newPkce();
  const { headers } = await browser.visit(authorizePath(clientId, pkce));
  const path = headers.get('location') ?? '';
  return { clientId, pkce, path, page: await browser.visit(path) };
}

/** Goes from an accepted answer to the client's tokens. */
async function exchange(
  browser: Browser,
  answered: Visit,
  { clientId, pkce }: Awaited<ReturnType<typeof beginConsent>>,
) {
  const done = await browser.visit(answered.headers.get('location') ?? '');
  return requestTokens(baseUrl, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code: new URL(done.headers.get('location') ?? '').searchParams.get('code') ?? '',
    code_verifier: pkce.verifier,
  });
}

/** The form's field for the signed-in user. */
const sessionIn = ({ text }: { text: string }): string =>
  /<input type="hidden" name="session" value="(lgn_\w+)">/.exec(text)?.[1] ?? '';

/** A decision from a page that was shown earlier and is still open. */
const allow = (browser: Browser, path: string, session: string, more: { password?: string } = {}) =>
  browser.visit(path, {
    method: 'POST',
    headers: { origin: new URL(baseUrl).origin },
    body: new URLSearchParams({ answer: 'allow', scope: 'read', session, ...more }),
  });

async function setPassword(accountId: string, password: string): Promise<void> {
  const user = await findUserOfAccount(api.db, accountId);
  const passwordHash = await createPasswords(createCapacity().passwordHashes).hash(password);
  await insertPassword(api.db, { id: randomUUID(), userId: user?.id ?? '', passwordHash });
}

const makeOld = (session: string) =>
  api
    .db('loginSessions')
    .where({ id: session })
    .update('createdAt', api.db.raw(`now() - interval '${RECENT_LOGIN_MINUTES} minutes'`));

describe('the consent page', () => {
  it('accepts the signed-in user and names them', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser, "o'hara@example.com");
    const consent = await beginConsent(browser);
    const { path, page } = consent;
    expect(page.text).toContain('You are signed in as <strong><bdi>o&#39;hara@example.com</bdi></strong>');
    expect(page.text).not.toContain('name="key"');
    const answered = await browser.submit(path, { answer: 'allow', scope: 'read', session: sessionIn(page) });
    const { body } = await exchange(browser, answered, consent);
    const caller = await findConnectedCaller(api.db, body.access_token, `${baseUrl}/v1/mcp`);
    expect(caller?.principal).toMatchObject({ accountId, scope: 'read' });
  });

  it('asks for a key if nobody is signed in', async () => {
    const { page } = await beginConsent(openBrowser(baseUrl));
    expect(page.text).toContain('name="key"');
    expect(page.text).not.toContain('signed in');
  });

  it('is shown again when another user or nobody is signed in by then', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser);
    const { path, page } = await beginConsent(browser);
    const other = await signIn(browser, 'eve@example.com');
    expect(other).not.toBe(accountId);
    const changed = await allow(browser, path, sessionIn(page));
    expect(changed.status).toBe(422);
    expect(changed.text).toContain('eve@example.com');
    await api.db('loginSessions').delete();
    const ended = await allow(browser, path, sessionIn(changed));
    expect(ended.status).toBe(422);
    expect(ended.text).toContain('name="key"');
    expect(await connected(other)).toEqual([]);
  });

  it('is shown again, with the new session, after another sign-in as the same user', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser);
    const { path, page } = await beginConsent(browser);
    const user = await findUserOfAccount(api.db, accountId);
    await signInAs(browser, user?.id ?? '');
    const again = await allow(browser, path, sessionIn(page));
    expect(again.status).toBe(422);
    expect(sessionIn(again)).not.toBe(sessionIn(page));
    expect((await allow(browser, path, sessionIn(again))).status).toBe(303);
    expect(await connected(accountId)).toHaveLength(1);
  });

  it('connects nothing for a session that ends while the form is being sent', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser);
    const { path, page } = await beginConsent(browser);
    const ending = await api.db.transaction();
    let answered: ReturnType<typeof allow>;
    try {
      await ending('loginSessions')
        .where({ id: sessionIn(page) })
        .delete();
      // Other transactions see the end only after its commit. Until then they find the session, and the answer waits.
      answered = allow(browser, path, sessionIn(page));
      await until('the answer waits for the session', async () => (await waiting()) > 0);
    } finally {
      await ending.commit();
    }
    const refused = await answered;
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('name="key"');
    expect(await connected(accountId)).toEqual([]);
    expect(await grantsOf(accountId)).toEqual([]);
  });

  it('regression: connects nothing for a key that is revoked while the form is being sent', async () => {
    const accountId = await createAccount(api.db);
    const { value: key } = await createKey(api.db, accountId, 'full');
    const browser = openBrowser(baseUrl);
    const { path } = await beginConsent(browser);
    const revoking = await api.db.transaction();
    let answered: ReturnType<typeof allow>;
    try {
      await revoking('apiKeys').where({ accountId }).update({ revokedAt: new Date() });
      answered = browser.submit(path, { answer: 'allow', scope: 'read', key });
      await until('the answer waits for the key', async () => (await waiting()) > 0);
    } finally {
      await revoking.commit();
    }
    const refused = await answered;
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('This key was revoked or has expired meanwhile'),
    ]);
    expect(await connected(accountId)).toEqual([]);
  });

  it('regression: needs a recent sign-in or the password, because a connection outlasts the session', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser);
    const { path, page } = await beginConsent(browser);
    const session = sessionIn(page);
    await makeOld(session);
    const refused = await allow(browser, path, session);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Sign in again, and connect'),
    ]);
    // Without a password there is nothing to show but a key.
    expect(refused.text).toContain('name="key"');
    expect(refused.text).not.toContain('name="password"');
    expect(await connected(accountId)).toEqual([]);

    await setPassword(accountId, 'correct horse battery');
    expect((await browser.visit(path)).text).toContain('name="password"');
    const wrong = await allow(browser, path, session, { password: 'another one' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This is not your password.')]);
    expect(await connected(accountId)).toEqual([]);
    expect((await allow(browser, path, session, { password: 'correct horse battery' })).status).toBe(303);
    expect(await connected(accountId)).toHaveLength(1);
  });

  it('regression: verifies a password in the turn of the caller’s address', async () => {
    const browser = openBrowser(baseUrl);
    await setPassword(await signIn(browser), 'correct horse battery');
    const { path, page } = await beginConsent(browser);
    const hashes = vi.spyOn(capacity.passwordHashes, 'run');
    onTestFinished(() => hashes.mockRestore());
    const answered = await allow(browser, path, sessionIn(page), { password: 'correct horse battery' });
    expect(answered.status).toBe(303);
    expect(hashes.mock.calls.map(([address]) => address)).toEqual(['127.0.0.1']);
  });

  it('regression: connects once for an answer that is sent six times at once, when a day is over', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser);
    const consent = await beginConsent(browser);
    const send = () => allow(browser, consent.path, sessionIn(consent.page));
    const [answered] = await Promise.all([send(), send(), send(), send(), send(), send()]);
    expect(await connected(accountId)).toHaveLength(6);
    const { body } = await exchange(browser, answered, consent);
    await connected(accountId).update('createdAt', api.db.raw(`now() - interval '25 hours'`));
    await pruneOAuthObjects(api.db, 100);
    const [kept, ...spare] = await connected(accountId);
    expect(spare).toEqual([]);
    expect(await grantsOf(accountId)).toEqual([{ grantId: kept?.grantId }]);
    const caller = await findConnectedCaller(api.db, body.access_token, `${baseUrl}/v1/mcp`);
    expect(caller?.principal).toMatchObject({ accountId, credentialId: kept?.id });
  });

  it('does not accept a session from the form alone', async () => {
    const browser = openBrowser(baseUrl);
    const { path } = await beginConsent(browser);
    const elsewhere = openBrowser(baseUrl);
    const accountId = await signIn(elsewhere);
    const { page } = await beginConsent(elsewhere);
    expect((await allow(browser, path, sessionIn(page))).status).toBe(422);
    expect((await allow(browser, path, '')).status).toBe(422);
    expect(await connected(accountId)).toEqual([]);
  });

  it('regression: refuses a dashboard token as a key: it is valid for minutes, and a connection for months', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser);
    const given = await browser.visit('/auth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(baseUrl).origin },
      body: '{}',
    });
    const { token: key } = JSON.parse(given.text) as { token: string };
    expect((await api.call('GET', '/v1/sources', { key })).status).toBe(200);
    // An attacker with nothing but the token.
    const elsewhere = openBrowser(baseUrl);
    const { path } = await beginConsent(elsewhere);
    const answered = await elsewhere.submit(path, { answer: 'allow', scope: 'read', key });
    expect([answered.status, answered.text]).toEqual([
      422,
      expect.stringContaining('Dashboard tokens do not work here'),
    ]);
    expect(await connected(accountId)).toEqual([]);
  });

  it('regression: refuses a key that expires: a connection would outlive it', async () => {
    const { id, value: key } = await createKey(api.db, api.accountId, 'full');
    await api
      .db('apiKeys')
      .where({ id })
      .update({ expiresAt: new Date(Date.now() + 3_600_000) });
    expect((await api.call('GET', '/v1/sources', { key })).status).toBe(200);
    const browser = openBrowser(baseUrl);
    const { path } = await beginConsent(browser);
    const answered = await browser.submit(path, { answer: 'allow', scope: 'read', key });
    expect([answered.status, answered.text]).toEqual([422, expect.stringContaining('This key expires')]);
    expect(await connected(api.accountId)).toEqual([]);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another site, without its name', { 'sec-fetch-site': 'cross-site' }],
    ['another port of the host', { 'sec-fetch-site': 'same-site' }],
    ['a page that hides where it is from', { origin: 'null' }],
  ])('refuses a form that is sent by %s', async (_who, headers) => {
    const browser = openBrowser(baseUrl);
    await signIn(browser);
    const { path, page } = await beginConsent(browser);
    const session = sessionIn(page);
    expect(session).not.toBe('');
    const answered = await browser.visit(path, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ answer: 'allow', scope: 'read', session }),
    });
    expect(answered.status).toBe(400);
  });
});
