// Signing in with a password, and new passwords through a mail or the settings.
import { hash } from '@node-rs/argon2';
import type * as argon2 from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import type { Mail } from '../../../api/auth/mail/mails.ts';
import { createCapacity } from '../../../api/capacity/capacity.ts';
import { createPasswords } from '../../../api/auth/passwords.ts';
import { type Answer, useApi } from '../../support/api/api.ts';
import {
  type Browser,
  browserAt,
  newEmail,
  newUser,
  newUserWithPassword,
  PASSWORD,
  signInByLink,
} from '../../support/api/browser.ts';
import { until } from '../../support/until.ts';

const counted = vi.hoisted(() => ({ hashes: 0 }));
/** Called before the next attempted password is verified. */
const meanwhile = vi.hoisted(() => ({ next: [] as (() => Promise<unknown>)[] }));
vi.mock('@node-rs/argon2', async (load) => {
  const real = await load<typeof argon2>();
  const counting =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      counted.hashes += 1;
      return work(...args);
    };
  const verify = async (...args: Parameters<typeof real.verify>): Promise<boolean> => {
    const isRight = await real.verify(...args);
    await meanwhile.next.shift()?.();
    return isRight;
  };
  return { ...real, hash: counting(real.hash), verify: counting(verify) };
});

const mails: Mail[] = [];
const api = useApi(
  { rateLimitFactor: 100, trustedProxies: ['127.0.0.1/32'] },
  { sendMail: async (mail) => void mails.push(mail) },
);

const NEW = 'a quite different phrase';

const signIn = async (email: string, password: string, browser = browserAt(api)) =>
  browser.post('/auth/sign-in/email', { email, password });

const hashOf = async (userId: string): Promise<string> =>
  (await api.db('loginMethods').where({ userId }).first()).passwordHash;

async function resetToken(email: string): Promise<string> {
  expect(await browserAt(api).post('/auth/request-password-reset', { email })).toMatchObject({
    status: 200,
    body: {},
  });
  const { text } = await until('the mail', () => mails.findLast(({ to }) => to === email));
  return /^http:\/\/localhost:8080\/dashboard\/reset-password#([\w-]+)$/m.exec(text)?.[1] ?? '';
}

describe('signing in', () => {
  it('requires the password, and starts a session', async () => {
    const user = await newUserWithPassword(api);
    const browser = browserAt(api);
    expect(await signIn(user.email.toUpperCase(), PASSWORD, browser)).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await browser.get('/auth/get-session')).body.user.id).toBe(user.id);
    expect(browser.cookie()).toMatch(/^recordwatch-8080=/);
  });

  it('refuses with the same message whatever is wrong', async () => {
    const user = await newUserWithPassword(api);
    const { user: withoutPassword } = await newUser(api);
    const answers = [
      await signIn(user.email, `${PASSWORD}.`),
      await signIn(newEmail(), PASSWORD),
      await signIn(withoutPassword.email, PASSWORD),
    ];
    const shown = answers.map(({ status, body: { requestId: _id, ...body }, headers }) => ({
      status,
      body,
      headers: Object.keys(headers),
    }));
    expect(shown[0]).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
  });

  it('accepts any password that could be set, which can then be changed and replaced', async () => {
    const [first, second, third] = ['😀', '🐝', '🌍'].map((character) => character.repeat(128));
    const user = await newUserWithPassword(api, first);
    const browser = browserAt(api);
    expect((await signIn(user.email, first ?? '', browser)).status).toBe(200);
    const change = { currentPassword: first, newPassword: second };
    expect((await browser.post('/auth/change-password', change)).status).toBe(200);
    const reset = { token: await resetToken(user.email), newPassword: third };
    expect((await browserAt(api).post('/auth/reset-password', reset)).status).toBe(200);
    expect((await signIn(user.email, third ?? '')).status).toBe(200);
  });

  it('is refused when the password is replaced while it is tried', async () => {
    const user = await newUserWithPassword(api);
    const token = await resetToken(user.email);
    meanwhile.next.push(async () => browserAt(api).post('/auth/reset-password', { token, newPassword: NEW }));
    const browser = browserAt(api);
    expect((await signIn(user.email, PASSWORD, browser)).status).toBe(401);
    expect(browser.cookie()).toBe('');
    expect(await api.db('loginSessions').where({ userId: user.id })).toEqual([]);
    expect((await signIn(user.email, NEW)).status).toBe(200);
  });

  it('is not refused when the password is rehashed while it is tried', async () => {
    const user = await newUserWithPassword(api);
    const passwordHash = await hash(PASSWORD);
    meanwhile.next.push(async () =>
      api.db('loginMethods').where({ userId: user.id }).update({ passwordHash }),
    );
    expect((await signIn(user.email, PASSWORD)).status).toBe(200);
  });

  it('computes one hash for every caller', async () => {
    const user = await newUserWithPassword(api);
    const { user: withoutPassword } = await newUser(api);
    const hashes: number[] = [];
    for (const email of [user.email, newEmail(), withoutPassword.email]) {
      counted.hashes = 0;
      await signIn(email, 'not the password');
      hashes.push(counted.hashes);
    }
    expect(hashes).toEqual([1, 1, 1]);
  });

  it('stores argon2id with the current parameters, and rehashes when they have grown', async () => {
    const user = await newUserWithPassword(api);
    expect(await hashOf(user.id)).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w+/]+\$[\w+/]+$/);
    const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await api.db('loginMethods').where({ userId: user.id }).update({ passwordHash });
    expect((await signIn(user.email, 'not the password')).status).toBe(401);
    expect(await hashOf(user.id)).toBe(passwordHash);
    expect((await signIn(user.email, PASSWORD)).status).toBe(200);
    await until('the hash is renewed', async () => (await hashOf(user.id)).includes('m=65536,t=3,p=1'));
    expect((await signIn(user.email, PASSWORD)).status).toBe(200);
  });
});

describe('hashes', () => {
  it('are computed in turn, with a short queue for an address; its further callers are asked to retry', async () => {
    const passwords = createPasswords(createCapacity().passwordHashes);
    const settled = await Promise.allSettled(Array.from({ length: 24 }, () => passwords.hash('a password')));
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const one of refused)
      expect(one).toMatchObject({ reason: { code: 'rate_limited', retryAfterSeconds: 5 } });
    expect(await passwords.hash('a password')).toContain('$argon2id$');
  });

  it('regression: of one address are refused when they are too many, and of no other', async () => {
    const [attacker, user] = [await newUserWithPassword(api), await newUserWithPassword(api)];
    const signInFrom = (address: string, { email }: { email: string }) =>
      browserAt(api).post(
        '/auth/sign-in/email',
        { email, password: PASSWORD },
        { 'x-forwarded-for': address },
      );
    const gate = Promise.withResolvers<void>();
    meanwhile.next.push(
      () => gate.promise,
      () => gate.promise,
    );
    const statuses: number[] = [];
    const flood = Array.from({ length: 30 }, () => signInFrom('192.0.2.1', attacker));
    for (const answer of flood) void answer.then(({ status }) => statuses.push(status));
    await until('its queue is full', () => statuses.includes(429) && meanwhile.next.length < 2);
    meanwhile.next.splice(0);
    expect((await signInFrom('192.0.2.2', user)).status).toBe(200);
    gate.resolve();
    const answers = await Promise.all(flood);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ body: { code: 'rate_limited' }, headers: { 'retry-after': '5' } });
  });
});

describe('a forgotten password', () => {
  it('is replaced through a mail, once, and every session ends', async () => {
    const user = await newUserWithPassword(api);
    const browser = browserAt(api);
    await signIn(user.email, PASSWORD, browser);
    const { token: bearer } = (await browser.post('/auth/token')).body;
    const earlier = await resetToken(user.email);
    mails.splice(0);
    const token = await resetToken(user.email);
    const reset = (given: string) =>
      browserAt(api).post('/auth/reset-password', { token: given, newPassword: NEW });
    expect(await reset(token)).toMatchObject({ status: 200, body: {} });
    expect((await browser.get('/auth/get-session')).body).toBeNull();
    expect((await api.call('GET', '/v1/sources', { key: bearer })).status).toBe(401);
    expect((await signIn(user.email, PASSWORD)).status).toBe(401);
    expect((await signIn(user.email, NEW)).status).toBe(200);
    for (const used of [token, earlier, 'a'.repeat(24)]) {
      expect(await reset(used)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    }
  });

  it('is answered the same for an address without a user, to which no mail goes', async () => {
    const { user } = await newUser(api);
    mails.splice(0);
    const unknown = await browserAt(api).post('/auth/request-password-reset', { email: newEmail() });
    const known = await browserAt(api).post('/auth/request-password-reset', { email: user.email });
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    await until('the mail', () => mails.length > 0);
    expect(mails.map(({ to }) => to)).toEqual([user.email]);
  });

  it('invalidates sign-in links when it is replaced', async () => {
    const { user, link } = await newUser(api);
    const reset = { token: await resetToken(user.email), newPassword: NEW };
    expect((await browserAt(api).post('/auth/reset-password', reset)).status).toBe(200);
    expect((await browserAt(api).post('/auth/link', { token: link })).status).toBe(401);
  });

  it('is not replaced by one that is too short, and the link still works afterwards', async () => {
    const { user } = await newUser(api);
    const token = await resetToken(user.email);
    const short = await browserAt(api).post('/auth/reset-password', { token, newPassword: 'short' });
    expect(short).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/newPassword', code: 'too_short' }] },
    });
    expect((await browserAt(api).post('/auth/reset-password', { token, newPassword: NEW })).status).toBe(200);
  });
});

describe('changing the password', () => {
  it('requires the current one, ends the other sessions, and gives the current session a new cookie', async () => {
    const user = await newUserWithPassword(api);
    const [browser, other] = [browserAt(api), browserAt(api)];
    await signIn(user.email, PASSWORD, browser);
    await signIn(user.email, PASSWORD, other);
    const link = await resetToken(user.email);
    const before = browser.cookie();
    const change = (given: object) => browser.post('/auth/change-password', { newPassword: NEW, ...given });
    expect(await change({ currentPassword: 'not the password' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/currentPassword' }] },
    });
    expect(await change({})).toMatchObject({ status: 422, body: { errors: [{ code: 'required' }] } });
    expect((await other.get('/auth/get-session')).body.user.id).toBe(user.id);
    expect(await change({ currentPassword: PASSWORD })).toMatchObject({ status: 200, body: {} });
    expect(browser.cookie()).not.toBe(before);
    expect((await browser.get('/auth/get-session')).body.user.id).toBe(user.id);
    expect((await other.get('/auth/get-session')).body).toBeNull();
    expect((await signIn(user.email, PASSWORD)).status).toBe(401);
    expect((await signIn(user.email, NEW)).status).toBe(200);
    const reset = { token: link, newPassword: PASSWORD };
    expect((await browserAt(api).post('/auth/reset-password', reset)).status).toBe(401);
  });

  it('succeeds once for two simultaneous requests with the same current password', async () => {
    const user = await newUserWithPassword(api);
    const [slow, quick] = [browserAt(api), browserAt(api)];
    for (const browser of [slow, quick]) await signIn(user.email, PASSWORD, browser);
    const change = (browser: Browser, newPassword: string) =>
      browser.post('/auth/change-password', { currentPassword: PASSWORD, newPassword });
    // The quick request is answered after the slow one's current password was verified.
    const answers: Answer[] = [];
    meanwhile.next.push(async () => answers.push(await change(quick, NEW)));
    answers.push(await change(slow, 'which is too late'));
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect((await signIn(user.email, 'which is too late')).status).toBe(401);
    expect((await signIn(user.email, NEW)).status).toBe(200);
    expect((await quick.get('/auth/get-session')).body.user.id).toBe(user.id);
  });

  it('replaces only the confirmed password, even if another one is stored meanwhile', async () => {
    const user = await newUserWithPassword(api);
    const browser = browserAt(api);
    await signIn(user.email, PASSWORD, browser);
    const passwordHash = await hash(NEW);
    meanwhile.next.push(async () =>
      api.db('loginMethods').where({ userId: user.id }).update({ passwordHash }),
    );
    const change = { currentPassword: PASSWORD, newPassword: 'which is too late' };
    expect(await browser.post('/auth/change-password', change)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/currentPassword' }] },
    });
    expect(await hashOf(user.id)).toBe(passwordHash);
    // Nothing changed, and the session continues.
    expect((await browser.get('/auth/get-session')).body.user.id).toBe(user.id);
  });

  it('is refused to a session that ends while the passwords are hashed', async () => {
    const user = await newUserWithPassword(api);
    const browser = browserAt(api);
    await signIn(user.email, PASSWORD, browser);
    meanwhile.next.push(async () => api.db('loginSessions').where({ userId: user.id }).delete());
    const change = { currentPassword: PASSWORD, newPassword: NEW };
    expect((await browser.post('/auth/change-password', change)).status).toBe(401);
    expect((await signIn(user.email, NEW)).status).toBe(401);
    expect((await signIn(user.email, PASSWORD)).status).toBe(200);
  });

  it('sets the first one once for two simultaneous requests', async () => {
    const { user } = await newUser(api);
    const browsers = [await signInByLink(api, user), await signInByLink(api, user)];
    const answers = await Promise.all(
      browsers.map((browser) => browser.post('/auth/change-password', { newPassword: NEW })),
    );
    const [first, second = 0] = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(first).toBe(200);
    // By then a current password is required, and the session may have ended.
    expect([401, 422]).toContain(second);
  });

  it('regression: sets the first one only within 15 minutes of signing in', async () => {
    const { user } = await newUser(api);
    const browser = await signInByLink(api, user);
    const late = { createdAt: new Date(Date.now() - 16 * 60_000) };
    await api.db('loginSessions').where({ userId: user.id }).update(late);
    expect(await browser.post('/auth/change-password', { newPassword: NEW })).toMatchObject({
      status: 403,
      body: { code: 'recent_sign_in_required' },
    });
    expect((await browser.get('/auth/get-session')).body.user.hasPassword).toBe(false);
    const again = await signInByLink(api, user);
    expect((await again.post('/auth/change-password', { newPassword: NEW })).status).toBe(200);
  });

  it('sets the first one for a user who signed in by a link', async () => {
    const { user } = await newUser(api);
    const [browser, other] = [await signInByLink(api, user), await signInByLink(api, user)];
    expect((await browser.get('/auth/get-session')).body.user.hasPassword).toBe(false);
    expect((await browser.post('/auth/change-password', { newPassword: NEW })).status).toBe(200);
    expect((await browser.get('/auth/get-session')).body.user).toMatchObject({
      id: user.id,
      hasPassword: true,
    });
    expect((await other.get('/auth/get-session')).body).toBeNull();
    expect((await signIn(user.email, NEW)).status).toBe(200);
  });
});
