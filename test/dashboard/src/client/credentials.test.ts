// The API token of a signed-in user: all waiting calls request it once, and an older one never replaces it.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loginCredentials } from '../../../../dashboard/src/client/credentials.ts';

const LIFE_MS = 600_000;

interface Asked {
  answer: (token: string, lifeMs?: number, userId?: string) => void;
  fail: () => void;
}

/** The requests for a token, each of which the test answers. */
let asked: Asked[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((resolve, reject) => {
        asked.push({
          answer: (token, lifeMs = LIFE_MS, userId = 'user') =>
            resolve(Response.json({ token, userId, expiresAt: new Date(Date.now() + lifeMs).toISOString() })),
          fail: () => reject(new TypeError('Failed to fetch')),
        });
      }),
  );
});
afterEach(() => vi.unstubAllGlobals());

it('is requested once for all simultaneous calls', async () => {
  const { bearer } = loginCredentials('user');
  const all = Promise.all([bearer(), bearer(), bearer()]);
  expect(asked).toHaveLength(1);
  asked[0]?.answer('one');
  expect(await all).toEqual(['one', 'one', 'one']);
  expect(await bearer()).toBe('one');
});

it('is renewed once before it expires, for all simultaneous calls', async () => {
  const { bearer } = loginCredentials('user');
  const first = bearer();
  asked[0]?.answer('old', 1_000);
  expect(await first).toBe('old');
  const all = Promise.all([bearer(), bearer(), bearer()]);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer('new');
  expect(await all).toEqual(['new', 'new', 'new']);
  expect(asked).toHaveLength(2);
});

it('is requested again after a failure', async () => {
  const { bearer } = loginCredentials('user');
  const failing = bearer();
  asked[0]?.fail();
  await expect(failing).rejects.toMatchObject({ code: 'unreachable' });
  const next = bearer();
  asked[1]?.answer('second');
  expect(await next).toBe('second');
});

it('survives the failed request for an earlier one', async () => {
  const { bearer, forget } = loginCredentials('user');
  const older = bearer();
  forget();
  const newer = bearer();
  asked[1]?.answer('newer');
  expect(await newer).toBe('newer');
  asked[0]?.fail();
  await expect(older).rejects.toMatchObject({ code: 'unreachable' });
  expect(await bearer()).toBe('newer');
});

it('regression: is refused if another user has signed in meanwhile', async () => {
  const { bearer } = loginCredentials('user');
  const refused = bearer();
  asked[0]?.answer('theirs', LIFE_MS, 'other');
  await expect(refused).rejects.toMatchObject({ code: 'unauthenticated' });
});
