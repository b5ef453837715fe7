// Signing up: one answer for known and unknown addresses, and nothing is made before the mail's link is used.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Mail } from '../../api/auth/mails.ts';
import { unwrapDataKey } from '../../core/crypto/envelope.ts';
import { useApi } from '../support/api.ts';
import { type Browser, browserAt, newEmail, PASSWORD } from '../support/browser.ts';
import { testKeys } from '../support/factories.ts';
import { until } from '../support/until.ts';

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

const signUp = (email: string, more: object = {}, browser: Browser = browserAt(api)) =>
  browser.post('/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD, ...more });

const counts = () =>
  Promise.all(['users', 'accounts'].map(async (table) => (await api.db(table).select('id')).length));

describe('signing up', () => {
  it('makes a user with an account of their own, once the mail’s link is used, and signs them in', async () => {
    const email = newEmail();
    const [users = 0, accounts = 0] = await counts();
    expect(await signUp(email.toUpperCase())).toMatchObject({ status: 200, body: {} });
    const mail = await mailTo(email);
    expect(await counts()).toEqual([users, accounts]);
    const browser = browserAt(api);
    expect((await browser.post('/auth/link', { token: linkIn(mail) })).status).toBe(200);
    expect(await counts()).toEqual([users + 1, accounts + 1]);
    const { user } = (await browser.get('/auth/get-session')).body;
    expect(user).toMatchObject({ email, name: 'Ada', hasPassword: true });
    const account = await api.db('accounts').where({ id: user.accountId }).first();
    expect(account.name).toBe('Ada');
    expect(unwrapDataKey(testKeys, user.accountId, account.wrappedDataKey).key).toHaveLength(32);
    const signedIn = await browserAt(api).post('/auth/sign-in/email', { email, password: PASSWORD });
    expect(signedIn).toMatchObject({ status: 200, body: {} });
    expect((await browserAt(api).post('/auth/link', { token: linkIn(mail) })).status).toBe(401);
  });

  it('answers the same for an address that has a user, and tells its owner by mail', async () => {
    const email = newEmail();
    const first = await signUp(email);
    const mail = await mailTo(email);
    await browserAt(api).post('/auth/link', { token: linkIn(mail) });
    mails.splice(0);
    const second = await signUp(email, { name: 'Eve', password: 'another password' });
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(Object.keys(second.headers)).toEqual(Object.keys(first.headers));
    const known = await mailTo(email);
    expect(linkIn(known)).toBe('');
    expect(known.subject).toBe('You have an account already');
    const tried = await browserAt(api).post('/auth/sign-in/email', { email, password: 'another password' });
    expect(tried.status).toBe(401);
  });

  it('lets nobody in whose password was not confirmed, and the first confirmed sign-up of an address wins', async () => {
    const email = newEmail();
    await signUp(email, { password: 'of somebody else' });
    const theirs = await mailTo(email);
    mails.splice(0);
    expect(
      (await browserAt(api).post('/auth/sign-in/email', { email, password: 'of somebody else' })).status,
    ).toBe(401);
    await signUp(email);
    const mine = await mailTo(email);
    expect((await browserAt(api).post('/auth/link', { token: linkIn(mine) })).status).toBe(200);
    expect((await browserAt(api).post('/auth/link', { token: linkIn(theirs) })).status).toBe(401);
    const tried = await browserAt(api).post('/auth/sign-in/email', { email, password: 'of somebody else' });
    expect(tried.status).toBe(401);
  });

  it.each([
    ['/password', { password: 'a'.repeat(11) }, 'at least 12 characters'],
    ['/password', { password: 'a'.repeat(129) }, 'at most 128 characters'],
    ['/password', { password: undefined }, 'is required'],
    ['/email', { email: 'ada' }, 'an email address such as'],
    ['/email', { email: 'ada@example.com\r\nBcc: eve@example.com' }, 'an email address such as'],
    ['/email', { email: `${'a'.repeat(250)}@example.com` }, 'at most 254 characters'],
    ['/name', { name: ' ' }, 'printable text'],
    ['/name', { name: 'a\u0000b' }, 'printable text'],
    ['/accountId', { accountId: 'acc_1' }, 'is not a field'],
  ])('refuses what is wrong with %s: %o', async (pointer, given, words) => {
    const { status, body } = await signUp(newEmail(), given);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer, detail: expect.stringContaining(words) }),
    ]);
  });

  it('takes passwords of 12 and of 128 characters, of any script, however they are composed', async () => {
    for (const password of ['a'.repeat(128), 'пароль-пароль', 'Zoe\u0308 and friends', '🔑'.repeat(12)]) {
      const email = newEmail();
      expect((await signUp(email, { password })).status).toBe(200);
      await browserAt(api).post('/auth/link', { token: linkIn(await mailTo(email)) });
      const given = { email, password: password.normalize('NFC') };
      expect((await browserAt(api).post('/auth/sign-in/email', given)).status).toBe(200);
    }
  });
});
