// Signing in with a link, who is signed in, and the tokens that the dashboard calls the API with.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLink } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import { useApi } from '../support/api.ts';
import { browserAt } from '../support/browser.ts';
import { createAccount } from '../support/factories.ts';

const api = useApi({ baseUrl: 'https://watch.example' });

const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`;

async function newUser(accountId = api.accountId) {
  const user = await addUser(api.db, { accountId, email: newEmail(), name: 'Ada' });
  return { user, link: await createLink(api.db, { kind: 'sign-in', userId: user.id }) };
}

/** A browser in which this user is signed in. */
async function signedIn(accountId = api.accountId) {
  const { user, link } = await newUser(accountId);
  const browser = browserAt(api);
  expect(await browser.post('/auth/link', { token: link })).toMatchObject({ status: 200, body: {} });
  return { user, browser };
}

describe('a link that signs in', () => {
  it('works once, and sets a cookie that only this host gets', async () => {
    const { user, link } = await newUser();
    const browser = browserAt(api);
    const answer = await browser.post('/auth/link', { token: link });
    expect(answer.status).toBe(200);
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^__Host-recordwatch=[\w.%-]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const { id, email, name, accountId } = user;
    expect((await browser.get('/auth/get-session')).body).toEqual({
      user: { id, email, name, accountId, hasPassword: false },
      session: { id: expect.stringMatching(/^lgn_/), expiresAt: expect.any(String) },
    });
    expect(await browserAt(api).post('/auth/link', { token: link })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });
});

describe('a token of the dashboard', () => {
  it('reaches what the account reaches, until its session ends', async () => {
    const accountId = await createAccount(api.db);
    const { browser } = await signedIn(accountId);
    const { body } = await browser.post('/auth/token');
    expect(body).toEqual({
      token: expect.stringMatching(/^cat_dsh_[0-9A-Za-z]{36}$/),
      expiresAt: expect.any(String),
    });
    expect(await api.call('GET', '/v1/sources', { key: body.token })).toMatchObject({ status: 200 });
    expect(await browser.post('/auth/sign-out')).toMatchObject({ status: 200 });
    expect((await browser.get('/auth/get-session')).body).toBeNull();
    expect(await api.call('GET', '/v1/sources', { key: body.token })).toMatchObject({ status: 401 });
  });
});
