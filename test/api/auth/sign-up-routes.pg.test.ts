// Signing up: the same answer for known and unknown addresses, and no account before the mail's link is used.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Mail } from '../../../api/auth/mail/mails.ts';
import { unwrapDataKey } from '../../../core/crypto/envelope.ts';
import { useApi } from '../../support/api/api.ts';
import { type Browser, browserAt, newEmail, newUser, PASSWORD } from '../../support/api/browser.ts';
import { testKeys } from '../../support/rows/factories.ts';
import { until } from '../../support/until.ts';

const mails: Mail[] = [];
const api = useApi(
  { baseUrl: 'https://watch.example', rateLimitFactor: 100 },
  { sendMail: async (mail) => void mails.push(mail) },
);

beforeEach(() => void mails.splice(0));

const mailTo = (email: string): Promise<Mail> =>
  until(`a mail to ${email}`, () => mails.find(({ to }) => to === email));

const linkIn = ({ text }: Mail): string =>
  /^https:\/\/watch\.example\/dashboard\/link#([\w-]{43})$/m.exec(text)?.[1] ?? '';

const signUp = (email: string, more: object = {}) =>
  browserAt(api).post('/auth/sign-up/email', { email, ...more });

/** Requests the mail. @returns the token of its link */
async function askForLink(email: string): Promise<string> {
  mails.splice(0);
  await signUp(email);
  return linkIn(await mailTo(email));
}

const finish = (token: string, more: object = {}, browser: Browser = browserAt(api)) =>
  browser.post('/auth/sign-up/finish', { token, name: 'Ada', password: PASSWORD, ...more });

const signIn = (email: string, password = PASSWORD) =>
  browserAt(api).post('/auth/sign-in/email', { email, password });

const counts = () =>
  Promise.all(['users', 'accounts'].map(async (table) => (await api.db(table).select('id')).length));

describe('signing up', () => {
  it('creates a user with a new account when the mail’s link is used, and signs them in', async () => {
    const email = newEmail();
    const [users = 0, accounts = 0] = await counts();
    expect(await signUp(email.toUpperCase())).toMatchObject({ status: 200, body: {} });
    const token = linkIn(await mailTo(email));
    expect(await counts()).toEqual([users, accounts]);
    const browser = browserAt(api);
    expect(await finish(token, {}, browser)).toMatchObject({ status: 200, body: {} });
    expect(await counts()).toEqual([users + 1, accounts + 1]);
    const { user } = (await browser.get('/auth/get-session')).body;
    expect(user).toMatchObject({ email, name: 'Ada', hasPassword: true });
    const account = await api.db('accounts').where({ id: user.accountId }).first();
    expect(account.name).toBe('Ada');
    expect(unwrapDataKey(testKeys, user.accountId, account.wrappedDataKey).key).toHaveLength(32);
    expect(await signIn(email)).toMatchObject({ status: 200, body: {} });
    expect((await finish(token)).status).toBe(401);
  });

  it('answers the same for an address that has a user, and tells its owner by mail', async () => {
    const email = newEmail();
    const first = await signUp(email);
    await finish(linkIn(await mailTo(email)));
    mails.splice(0);
    const second = await signUp(email);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(Object.keys(second.headers)).toEqual(Object.keys(first.headers));
    const known = await mailTo(email);
    expect(linkIn(known)).toBe('');
    expect(known.subject).toBe('You have an account already');
  });

  it.each([
    ['/email', { email: 'ada' }, 'an email address such as'],
    ['/email', { email: 'ada@example.com\r\nBcc: eve@example.com' }, 'an email address such as'],
    ['/email', { email: `${'a'.repeat(250)}@example.com` }, 'at most 254 characters'],
    ['/accountId', { accountId: 'acc_1' }, 'is not a field'],
    // The sender of the request decides nothing about the account.
    ['/password', { password: PASSWORD }, 'is not a field'],
    ['/name', { name: 'Eve' }, 'is not a field'],
  ])('refuses invalid %s: %o', async (pointer, given, words) => {
    const { status, body } = await signUp(newEmail(), given);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer, detail: expect.stringContaining(words) }),
    ]);
  });
});

describe('finishing', () => {
  it.each([
    ['/password', { password: 'a'.repeat(11) }, 'at least 12 characters'],
    ['/password', { password: 'a'.repeat(129) }, 'at most 128 characters'],
    ['/password', { password: undefined }, 'is required'],
    ['/name', { name: ' ' }, 'printable text'],
    ['/name', { name: 'a\u0000b' }, 'printable text'],
    ['/email', { email: 'eve@example.com' }, 'is not a field'],
  ])('refuses invalid %s: %o, and the link still works then', async (pointer, given, words) => {
    const token = await askForLink(newEmail());
    const { status, body } = await finish(token, given);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer, detail: expect.stringContaining(words) }),
    ]);
    expect((await finish(token)).status).toBe(200);
  });

  it('accepts passwords of 12 and of 128 characters, of any script and composition', async () => {
    for (const password of ['a'.repeat(128), 'пароль-пароль', 'Zoe\u0308 and friends', '🔑'.repeat(12)]) {
      const email = newEmail();
      expect((await finish(await askForLink(email), { password })).status).toBe(200);
      expect((await signIn(email, password.normalize('NFC'))).status).toBe(200);
    }
  });

  it('requires a sign-up link and uses up no other link; a sign-up link signs nobody in', async () => {
    const { link, user } = await newUser(api);
    expect((await finish(link)).status).toBe(401);
    const browser = browserAt(api);
    expect((await browser.post('/auth/link', { token: link })).status).toBe(200);
    expect((await browser.get('/auth/get-session')).body.user.id).toBe(user.id);
    const token = await askForLink(newEmail());
    expect((await browserAt(api).post('/auth/link', { token })).status).toBe(401);
    expect((await finish(token)).status).toBe(200);
  });

  it('creates one user for an address, however many requests finish at once by one link or several', async () => {
    const email = newEmail();
    const [users = 0, accounts = 0] = await counts();
    const tokens = [await askForLink(email), await askForLink(email)];
    const answers = await Promise.all([...tokens, ...tokens].map((token) => finish(token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    expect(await counts()).toEqual([users + 1, accounts + 1]);
  });
});

describe('an attacker who signs up with another person’s address first', () => {
  it('decides nothing about the account that the owner creates, with either link', async () => {
    for (const which of ['theirs', 'mine'] as const) {
      const email = newEmail();
      const strangers = browserAt(api);
      await strangers.post('/auth/sign-up/email', { email, name: 'Eve', password: 'of somebody else' });
      await strangers.post('/auth/sign-up/email', { email });
      const theirs = linkIn(await mailTo(email));
      const mine = await askForLink(email);
      const owners = browserAt(api);
      await finish(which === 'mine' ? mine : theirs, { name: 'Ada' }, owners);
      expect((await owners.get('/auth/get-session')).body.user).toMatchObject({ email, name: 'Ada' });
      expect((await signIn(email, 'of somebody else')).status).toBe(401);
      expect((await strangers.get('/auth/get-session')).body).toBeNull();
      // The other link no longer works, even before its first use.
      const other = which === 'mine' ? theirs : mine;
      expect((await strangers.post('/auth/link/look', { token: other })).status).toBe(401);
      expect((await finish(other, { password: 'of somebody else' })).status).toBe(401);
      expect((await signIn(email)).status).toBe(200);
    }
  });

  it('gets no sign-in, reset, session or account', async () => {
    const email = newEmail();
    const [users = 0, accounts = 0] = await counts();
    const browser = browserAt(api);
    await browser.post('/auth/sign-up/email', { email });
    await mailTo(email);
    mails.splice(0);
    expect((await signIn(email)).status).toBe(401);
    await browser.post('/auth/request-password-reset', { email });
    expect(browser.cookie()).toBe('');
    expect((await browser.get('/auth/get-session')).body).toBeNull();
    expect((await browser.post('/auth/token')).status).toBe(401);
    expect(await counts()).toEqual([users, accounts]);
    const [{ value }] = await api.db('verifications').orderBy('createdAt', 'desc').limit(1);
    expect(JSON.parse(value)).toEqual({ kind: 'sign-up', email });
  });
});
