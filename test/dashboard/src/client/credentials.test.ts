// A signed-in person's token for the API: asked for once by all calls that wait for it, and never lost to an older one.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loginCredentials } from '../../../../dashboard/src/client/credentials.ts';

const LIFE_MS = 600_000;

interface Asked {
  answer: (token: string, lifeMs?: number) => void;
  fail: () => void;
}

/** What the door that gives tokens was asked, each to be answered by the test. */
let asked: Asked[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((resolve, reject) => {
        asked.push({
          answer: (token, lifeMs = LIFE_MS) =>
            resolve(Response.json({ token, expiresAt: new Date(Date.now() + lifeMs).toISOString() })),
          fail: () => reject(new TypeError('Failed to fetch')),
        });
      }),
  );
});
afterEach(() => vi.unstubAllGlobals());

it('is one for all that ask at once', async () => {
  const { bearer } = loginCredentials();
  const all = Promise.all([bearer(), bearer(), bearer()]);
  expect(asked).toHaveLength(1);
  asked[0]?.answer('one');
  expect(await all).toEqual(['one', 'one', 'one']);
  expect(await bearer()).toBe('one');
});

it('is renewed once when it is about to end, for all that ask at once', async () => {
  const { bearer } = loginCredentials();
  const first = bearer();
  asked[0]?.answer('old', 1_000);
  expect(await first).toBe('old');
  const all = Promise.all([bearer(), bearer(), bearer()]);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer('new');
  expect(await all).toEqual(['new', 'new', 'new']);
  expect(asked).toHaveLength(2);
});

it('is asked for again after a failure', async () => {
  const { bearer } = loginCredentials();
  const failing = bearer();
  asked[0]?.fail();
  await expect(failing).rejects.toMatchObject({ code: 'unreachable' });
  const next = bearer();
  asked[1]?.answer('second');
  expect(await next).toBe('second');
});

it('outlives the failure of one that was forgotten', async () => {
  const { bearer, forget } = loginCredentials();
  const older = bearer();
  forget();
  const newer = bearer();
  asked[1]?.answer('newer');
  expect(await newer).toBe('newer');
  asked[0]?.fail();
  await expect(older).rejects.toMatchObject({ code: 'unreachable' });
  expect(await bearer()).toBe('newer');
});
