// Connecting an MCP client as who is signed in to the dashboard, without a key.
import { describe, expect, it } from 'vitest';
import { createLink } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import { findConnectedCaller } from '../../db/connected-clients.ts';
import { newEmail } from '../support/browser.ts';
import { createAccount } from '../support/factories.ts';
import { useListeningApi } from '../support/listening-api.ts';
import {
  authorizePath,
  newPkce,
  openBrowser,
  REDIRECT_URI,
  registerClient,
  requestTokens,
} from '../support/oauth-browser.ts';

const { api, baseUrl } = await useListeningApi();

type Browser = ReturnType<typeof openBrowser>;

/** @returns the account that the browser is then signed in to */
async function signIn(browser: Browser, email = newEmail()): Promise<string> {
  const accountId = await createAccount(api.db);
  const user = await addUser(api.db, { accountId, email, name: 'Ada' });
  const token = await createLink(api.db, { kind: 'sign-in', userId: user.id });
  const { status } = await browser.visit('/auth/link', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(baseUrl).origin },
    body: JSON.stringify({ token }),
  });
  expect(status).toBe(200);
  return accountId;
}

/** The page on which a person decides, for a client that has just registered. */
async function beginConsent(browser: Browser) {
  const clientId = await registerClient(baseUrl);
  const pkce = newPkce();
  const { headers } = await browser.visit(authorizePath(clientId, pkce));
  const path = headers.get('location') ?? '';
  return { clientId, pkce, path, page: await browser.visit(path) };
}

describe('the page on which a client is connected', () => {
  it('takes who is signed in, and says who that is', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser, "o'hara@example.com");
    const { clientId, pkce, path, page } = await beginConsent(browser);
    expect(page.text).toContain('You are signed in as <strong><bdi>o&#39;hara@example.com</bdi></strong>');
    expect(page.text).not.toContain('name="key"');
    const answered = await browser.submit(path, { answer: 'allow', scope: 'read', account: accountId });
    const done = await browser.visit(answered.headers.get('location') ?? '');
    const code = new URL(done.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { body } = await requestTokens(baseUrl, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      code,
      code_verifier: pkce.verifier,
    });
    const caller = await findConnectedCaller(api.db, body.access_token, `${baseUrl}/v1/mcp`);
    expect(caller?.principal).toMatchObject({ accountId, scope: 'read' });
  });

  it('asks for a key where nobody is signed in', async () => {
    const { page } = await beginConsent(openBrowser(baseUrl));
    expect(page.text).toContain('name="key"');
    expect(page.text).not.toContain('signed in');
  });

  it('is shown again when somebody else is signed in by then, or nobody', async () => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser);
    const { path } = await beginConsent(browser);
    const other = await signIn(browser);
    expect(other).not.toBe(accountId);
    // The page that was shown before is still open in its tab.
    const submit = (account: string) =>
      browser.visit(path, {
        method: 'POST',
        headers: { origin: new URL(baseUrl).origin },
        body: new URLSearchParams({ answer: 'allow', scope: 'read', account }),
      });
    const changed = await submit(accountId);
    expect(changed.status).toBe(422);
    expect(changed.text).toContain(`value="${other}"`);
    await api.db('loginSessions').delete();
    const ended = await submit(other);
    expect(ended.status).toBe(422);
    expect(ended.text).toContain('name="key"');
  });

  it('does not take an account from the form alone', async () => {
    const browser = openBrowser(baseUrl);
    const { path } = await beginConsent(browser);
    const answered = await browser.submit(path, { answer: 'allow', scope: 'read', account: api.accountId });
    expect(answered.status).toBe(422);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another site, without its name', { 'sec-fetch-site': 'cross-site' }],
    ['another port of the host', { 'sec-fetch-site': 'same-site' }],
    ['a page that hides where it is from', { origin: 'null' }],
  ])('takes no answer that is sent by %s', async (_who, headers) => {
    const browser = openBrowser(baseUrl);
    const accountId = await signIn(browser);
    const { path } = await beginConsent(browser);
    const answered = await browser.visit(path, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ answer: 'allow', scope: 'read', account: accountId }),
    });
    expect(answered.status).toBe(400);
  });
});
