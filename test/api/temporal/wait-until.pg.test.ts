import { expect, it } from 'vitest';
import { pauseMs, waitUntil } from '../../../api/temporal/wait-until.ts';

/** A clock that advances by a second with each reading. */
function clock(): () => number {
  let now = 0;
  return () => (now += 1_000);
}

it('returns the result as soon as there is one', async () => {
  const answers = [undefined, undefined, 'done'];
  const patience = { clock: clock(), waitMs: 60_000, signal: new AbortController().signal };
  expect(await waitUntil(patience, async () => answers.shift())).toBe('done');
});

it('polls once when there is no time to wait', async () => {
  let asked = 0;
  const ask = async (): Promise<undefined> => {
    asked += 1;
  };
  expect(
    await waitUntil({ clock: clock(), waitMs: 0, signal: new AbortController().signal }, ask),
  ).toBeUndefined();
  expect(asked).toBe(1);
});

it('ends with the caller’s wait', async () => {
  const patience = { clock: clock(), waitMs: 3_000, signal: new AbortController().signal };
  expect(await waitUntil(patience, async () => undefined)).toBeUndefined();
});

it('ends when the caller disconnects', async () => {
  const caller = new AbortController();
  let asked = 0;
  const ask = async (): Promise<undefined> => {
    asked += 1;
    if (asked === 2) caller.abort();
  };
  await waitUntil({ clock: () => 0, waitMs: 60_000, signal: caller.signal }, ask);
  expect(asked).toBe(2);
});

it('passes on a failure of a poll', async () => {
  const patience = { clock: clock(), waitMs: 1_000, signal: new AbortController().signal };
  await expect(waitUntil(patience, () => Promise.reject(new Error('no database')))).rejects.toThrow(
    'no database',
  );
});

it('polls less often the longer it takes: under 50 times in a minute, most of them at its beginning', () => {
  const asked: number[] = [];
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += pauseMs(waitedMs)) asked.push(waitedMs);
  expect(asked.length).toBeLessThan(50);
  expect(asked.filter((waitedMs) => waitedMs < 1_000).length).toBeGreaterThan(7);
});
