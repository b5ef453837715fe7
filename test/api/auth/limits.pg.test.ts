// Limits of failed passwords and requested mails. An attacker uses up only their own share, equally for known and unknown users.
import { beforeEach, describe, expect, it } from 'vitest';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { countAttempt } from '../../../api/auth/limits.ts';
import { useApi } from '../../support/api/api.ts';
import {
  browserAt,
  newEmail,
  newUser,
  newUserWithPassword,
  PASSWORD,
  signInByLink,
} from '../../support/api/browser.ts';
import { until } from '../../support/until.ts';

const mails: { to: string; text: string }[] = [];
const api = useApi(
  { trustedProxies: ['127.0.0.1/32'] },
  { sendMail: async (mail) => void mails.push(mail), rateLimits: createRateLimits() },
);

const HOUR_MS = 3_600_000;
/** Attempts are counted by the hour, so a test whose attempts are of two hours would find none too many. */
beforeEach(() =>
  until('the hour does not end soon', () => HOUR_MS - (Date.now() % HOUR_MS) > 30_000, { everyMs: 1_000 }),
);

/** Sends a POST from an address. */
const from = (address: string, path: string, body: object) =>
  browserAt(api).post(path, body, { 'x-forwarded-for': address });

const statuses = async (times: number, send: (i: number) => ReturnType<typeof from>): Promise<number[]> => {
  const all: number[] = [];
  for (let i = 0; i < times; i += 1) all.push((await send(i)).status);
  return all;
};

describe('mails', () => {
  it.each(['known', 'unknown'])(
    'regression: requested by one address block no other address: %s',
    async (which) => {
      const email = which === 'known' ? (await newUser(api)).user.email : newEmail();
      const octet = which === 'known' ? 1 : 2;
      const ask = (address: string) => from(address, '/auth/request-password-reset', { email });
      expect(await statuses(5, () => ask(`192.0.${octet}.1`))).toEqual([200, 200, 200, 200, 200]);
      const refused = await ask(`192.0.${octet}.1`);
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);
      const signUp = { email: email.toUpperCase() };
      expect((await from(`192.0.${octet}.1`, '/auth/sign-up/email', signUp)).status).toBe(429);
      expect((await ask(`192.0.${octet}.2`)).status).toBe(200);
    },
  );

  it('do not flood a mailbox: at most twenty arrive an hour from all addresses, and their links still work', async () => {
    const { user } = await newUser(api);
    const ask = (i: number) =>
      from(`198.18.0.${Math.floor(i / 5) + 1}`, '/auth/request-password-reset', { email: user.email });
    expect(await statuses(20, ask)).toEqual(Array<number>(20).fill(200));
    expect(await ask(20)).toMatchObject({
      status: 429,
      body: { detail: 'Too many mails were sent in this hour. The links in them still work.' },
    });
    const token = await resetTokenOf(user.email);
    const reset = { token, newPassword: PASSWORD };
    expect((await from('198.18.0.9', '/auth/reset-password', reset)).status).toBe(200);
  });

  it('can be requested thirty times an hour from one address or IPv6 network', async () => {
    const ask = (i: number) =>
      from(`2001:db8:1:2::${i + 1}`, '/auth/request-password-reset', { email: newEmail() });
    expect(await statuses(30, ask)).toEqual(Array<number>(30).fill(200));
    expect((await ask(30)).status).toBe(429);
    const elsewhere = await from('2001:db8:1:3::1', '/auth/request-password-reset', { email: newEmail() });
    expect(elsewhere.status).toBe(200);
  });
});

it('regression: a /48 of IPv6 gets twenty times as much as an address, whichever of its 65,536 networks ask', async () => {
  const attempt = (site: string, network: number) =>
    countAttempt(api.db, 1 / 30, { what: 'mail', address: `2001:db8:${site}:${network}::/64` });
  for (let network = 0; network < 20; network += 1) await attempt('aa', network);
  await expect(attempt('aa', 20)).rejects.toThrow('Too many mails');
  await attempt('ab', 20);
});

/** Of the first mail. */
const resetTokenOf = (email: string): Promise<string> =>
  until('the mail has come', () => {
    const text = mails.find(({ to }) => to === email)?.text ?? '';
    return /\/reset-password#([\w-]+)/.exec(text)?.[1];
  });

/** Counts failures like the route, without hashing a password. */
async function fail(email: string, address: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    await countAttempt(api.db, 1, { what: 'sign-in', address, subject: email });
  }
}

const signIn = (address: string, email: string, password = PASSWORD) =>
  from(address, '/auth/sign-in/email', { email, password });

describe('passwords', () => {
  it('regression: that an attacker tries lock the user out at no other address, and correct ones are not counted', async () => {
    const { email } = await newUserWithPassword(api);
    const stranger = '198.51.1.1';
    await fail(email, stranger, 19);
    expect(await statuses(3, () => signIn(stranger, email))).toEqual([200, 200, 200]);
    expect((await signIn(stranger, email, 'not the password')).status).toBe(401);
    expect(await statuses(6, () => signIn(stranger, email, 'not the password'))).toEqual(
      Array<number>(6).fill(429),
    );
    expect((await signIn('198.51.1.2', email)).status).toBe(200);
    // Refused attempts do not count for the address, so other users can sign in from there.
    const other = await newUserWithPassword(api);
    expect((await signIn(stranger, other.email)).status).toBe(200);
  });

  it('regression: that one /48 of IPv6 tries from all its networks lock the user out at no other address', async () => {
    const { email } = await newUserWithPassword(api);
    const refused: unknown[] = [];
    for (let network = 0; network < 50; network += 1) {
      await fail(email, `2001:db8:1:${network}::/64`, 20).catch((error: unknown) => refused.push(error));
    }
    expect(refused).toHaveLength(47);
    expect((await signIn('2001:db8:1:99::1', email)).status).toBe(429);
    expect((await signIn('198.51.100.1', email)).status).toBe(200);
  });

  it('are refused with the same words for an email without a user', async () => {
    const email = newEmail();
    await fail(email, '198.51.2.1', 19);
    expect((await signIn('198.51.2.1', email)).status).toBe(401);
    expect(await signIn('198.51.2.1', email)).toMatchObject({
      status: 429,
      body: { detail: 'Too many wrong passwords in this hour. Set a new one by mail to sign in.' },
    });
  });

  it('are tried from one address at most a hundred times an hour, for any users', async () => {
    for (let i = 0; i < 10; i += 1) await fail(newEmail(), '198.51.3.1', 10);
    expect((await signIn('198.51.3.1', newEmail())).status).toBe(429);
    expect((await signIn('198.51.3.2', newEmail())).status).toBe(401);
  });

  it('are tried for one email at most a thousand times an hour from all addresses; a mail still signs its user in', async () => {
    const { email } = await newUserWithPassword(api);
    for (let i = 0; i < 50; i += 1) await fail(email, `198.52.0.${i}`, 20);
    expect((await signIn('198.51.4.1', email)).status).toBe(429);
    expect((await from('198.51.4.1', '/auth/request-password-reset', { email })).status).toBe(200);
    const reset = { token: await resetTokenOf(email), newPassword: 'another horse battery staple' };
    expect((await from('198.51.4.1', '/auth/reset-password', reset)).status).toBe(200);
    expect((await signIn('198.51.4.1', email, reset.newPassword)).status).toBe(200);
  });

  it('count exactly, however many are tried at once', async () => {
    const email = newEmail();
    const tries = Array.from({ length: 40 }, () =>
      countAttempt(api.db, 1, { what: 'sign-in', address: '198.51.5.1', subject: email }),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });
});

describe('links', () => {
  it('regression: that are valid are never refused, however many invalid ones their address tried', async () => {
    const dead = () => from('198.51.6.1', '/auth/link/look', { token: 'x'.repeat(43) });
    expect(await statuses(100, dead)).toEqual(Array<number>(100).fill(401));
    expect((await dead()).status).toBe(429);
    const { link } = await newUser(api);
    expect((await from('198.51.6.1', '/auth/link', { token: link })).status).toBe(200);
  });
});

describe('an address', () => {
  it('regression: may fail at /auth/ 300 times a minute, which does not affect signed-in users there', async () => {
    const ask = (address: string) => from(address, '/auth/token', {});
    const person = await signInByLink(api, (await newUser(api)).user);
    expect(await statuses(300, () => ask('198.51.7.1'))).toEqual(Array<number>(300).fill(401));
    const refused = await ask('198.51.7.1');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    const token = await person.post('/auth/token', {}, { 'x-forwarded-for': '198.51.7.1' });
    expect(token.status).toBe(200);
    expect((await ask('198.51.7.2')).status).toBe(401);
  });

  it('may send 1,200 requests a minute to /auth/, whether they fail or not', async () => {
    const headers = { 'x-forwarded-for': '198.51.8.1' };
    const look = () => api.call('GET', '/auth/get-session', { key: null, headers });
    expect(await statuses(1_200, look)).toEqual(Array<number>(1_200).fill(200));
    const refused = await look();
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('198.51.8.2', '/auth/token', {})).status).toBe(401);
    // Other requests are counted separately.
    expect((await api.call('GET', '/v1/sources', { headers })).status).toBe(200);
  });
});

it('stores no email with its counts', async () => {
  const rows = await api.db('usage_counters').select('subject');
  expect(rows.length).toBeGreaterThan(50);
  expect(JSON.stringify(rows)).not.toContain('@');
});
