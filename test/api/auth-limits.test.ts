// How often passwords may be tried and mails asked for: per email and per address, the same for known and unknown.
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { browserAt, newEmail, newUser } from '../support/browser.ts';

const mails: string[] = [];
const api = useApi({ trustedProxies: ['127.0.0.1/32'] }, { sendMail: async ({ to }) => void mails.push(to) });

/** A POST from an address. */
const from = (address: string, path: string, body: object) =>
  browserAt(api).post(path, body, { 'x-forwarded-for': address });

const statuses = async (times: number, send: (i: number) => ReturnType<typeof from>): Promise<number[]> => {
  const all: number[] = [];
  for (let i = 0; i < times; i += 1) all.push((await send(i)).status);
  return all;
};

describe('mails', () => {
  it.each(['known', 'unknown'])('go to one address five times an hour: %s', async (which) => {
    const email = which === 'known' ? (await newUser(api)).user.email : newEmail();
    const ask = (i: number) => from(`192.0.2.${i + 1}`, '/auth/request-password-reset', { email });
    expect(await statuses(5, ask)).toEqual([200, 200, 200, 200, 200]);
    const refused = await ask(6);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    const signUp = { email: email.toUpperCase() };
    expect((await from('192.0.2.99', '/auth/sign-up/email', signUp)).status).toBe(429);
  });

  it('are asked for by one address, or one IPv6 network, thirty times an hour', async () => {
    const ask = (i: number) =>
      from(`2001:db8:1:2::${i + 1}`, '/auth/request-password-reset', { email: newEmail() });
    expect(await statuses(30, ask)).toEqual(Array<number>(30).fill(200));
    expect((await ask(30)).status).toBe(429);
    const elsewhere = await from('2001:db8:1:3::1', '/auth/request-password-reset', { email: newEmail() });
    expect(elsewhere.status).toBe(200);
  });
});

describe('passwords', () => {
  it.each(['known', 'unknown'])('are tried for one email twenty times an hour: %s', async (which) => {
    const email = which === 'known' ? (await newUser(api)).user.email : newEmail();
    const octet = which === 'known' ? 1 : 2;
    const tryOne = (i: number) =>
      from(`198.51.${octet}.${i + 1}`, '/auth/sign-in/email', { email, password: 'not the password' });
    expect(await statuses(20, tryOne)).toEqual(Array<number>(20).fill(401));
    expect((await tryOne(20)).status).toBe(429);
  });
});

it('keeps no email with what it counts', async () => {
  const rows = await api.db('usage_counters').select('subject');
  expect(rows.length).toBeGreaterThan(50);
  expect(JSON.stringify(rows)).not.toContain('@');
});
