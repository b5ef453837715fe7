// An ended session and its tokens are refused at once, on every process.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { type Database, openDatabase, rawRows } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import { type Browser, browserAt, newUser, signInByLink } from '../../support/api/browser.ts';
import { until } from '../../support/until.ts';

const mails: { to: string; text: string }[] = [];
const sendMail = async (mail: { to: string; text: string }): Promise<void> => void mails.push(mail);
const api = useApi({ rateLimitFactor: 100 }, { sendMail });
let otherDb: Database;
let otherApp: FastifyInstance;

beforeAll(async () => {
  const [database] = await rawRows<{ name: string }>(api.db, 'select current_database() as name');
  const url = new URL(inject('postgresUrl'));
  url.pathname = database?.name ?? '';
  otherDb = openDatabase(url.href, { poolSize: 5 });
  const services = { ...api.services, db: otherDb, heavyDb: otherDb };
  otherApp = buildApp(services, { rateLimits: createRateLimits({ multiplier: 1_000 }), sendMail });
});

afterAll(async () => {
  await otherApp.close();
  await otherDb.destroy();
});

const NEW = 'a quite different phrase';

let rounds = 0;
/** Each round uses a different address, because an address with invalid tokens is soon refused. */
const nextAddress = (): string => `203.0.113.${(rounds += 1)}`;

async function resetPassword(email: string): Promise<void> {
  await browserAt(api).post('/auth/request-password-reset', { email });
  const { text } = await until('the mail', () => mails.findLast(({ to }) => to === email));
  const token = /#([\w-]+)$/m.exec(text)?.[1] ?? '';
  const { status } = await browserAt(api).post('/auth/reset-password', { token, newPassword: NEW });
  expect(status).toBe(200);
}

interface Ending {
  /** The browser whose session ends. */
  browser: Browser;
  /** Another browser of the same user. */
  beside: Browser;
  email: string;
}

const ENDINGS: Readonly<Record<string, (given: Ending) => Promise<unknown>>> = {
  'signing out': ({ browser }) => browser.post('/auth/sign-out'),
  'another browser, which ends this one’s': async ({ browser, beside }) => {
    const { id } = (await browser.get('/auth/get-session')).body.session;
    await beside.delete(`/auth/sessions/${id}`);
  },
  'another browser, which ends all others': ({ beside }) => beside.post('/auth/sessions/end-others'),
  'another browser, which sets a password': ({ beside }) =>
    beside.post('/auth/change-password', { newPassword: NEW }),
  'a reset of the password': ({ email }) => resetPassword(email),
};

describe.each(Object.keys(ENDINGS))('after %s', (what) => {
  it('the session and its tokens are refused, on this and another process', async () => {
    const { user } = await newUser(api);
    const [browser, beside] = [await signInByLink(api, user), await signInByLink(api, user)];
    const cookie = browser.cookie();
    const tokens: string[] = [];
    for (let i = 0; i < 2; i += 1) tokens.push((await browser.post('/auth/token')).body.token);
    const remoteAddress = nextAddress();
    const tryAll = async (): Promise<number[]> => {
      const statuses: number[] = [];
      for (const app of [api.app, otherApp]) {
        for (const token of tokens) {
          const headers = { authorization: `Bearer ${token}` };
          const asked = { method: 'GET', url: '/v1/sources', headers, remoteAddress } as const;
          statuses.push((await app.inject(asked)).statusCode);
        }
        const headers = { cookie, 'sec-fetch-site': 'same-origin' };
        const { statusCode } = await app.inject({ method: 'POST', url: '/auth/token', headers, payload: {} });
        statuses.push(statusCode);
      }
      return statuses;
    };
    // Both processes use it, which fills their caches.
    expect(await tryAll()).toEqual(Array<number>(6).fill(200));
    await ENDINGS[what]?.({ browser, beside, email: user.email });
    expect(await tryAll()).toEqual(Array<number>(6).fill(401));
  });
});

it('a token is refused on every process, for all requests that use it while its session ends', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { user } = await newUser(api);
    const browser = await signInByLink(api, user);
    const { token } = (await browser.post('/auth/token')).body;
    const remoteAddress = nextAddress();
    let hasEnded = false;
    const after: number[] = [];
    const before: number[] = [];
    const use = async (app: FastifyInstance): Promise<void> => {
      for (let left = 4; left > 0; left -= hasEnded ? 1 : 0) {
        const seen = hasEnded ? after : before;
        const headers = { authorization: `Bearer ${token}` };
        const asked = { method: 'GET', url: '/v1/sources', headers, remoteAddress } as const;
        seen.push((await app.inject(asked)).statusCode);
      }
    };
    const users = [api.app, otherApp].map(use);
    await until('the token is used', () => before.includes(200));
    expect((await browser.post('/auth/sign-out')).status).toBe(200);
    hasEnded = true;
    await Promise.all(users);
    expect(after.length).toBeGreaterThan(0);
    expect(new Set(after)).toEqual(new Set([401]));
  }
});
