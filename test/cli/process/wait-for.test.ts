import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { waitFor } from '../../../cli/process/wait-for.ts';

const never = (): Promise<undefined> => new Promise(() => undefined);

it('comes back with the first value', async () => {
  const values = [undefined, undefined, 3];
  expect(await waitFor(() => values.shift(), { what: 'it counts', timeoutMs: 60_000, intervalMs: 1 })).toBe(
    3,
  );
});

it('names what it waited for when the time is up', async () => {
  const options = { what: 'it rains', timeoutMs: 5, intervalMs: 1 };
  await expect(waitFor(() => undefined, options)).rejects.toThrow('Waited 0.005 s in vain until it rains');
});

it('gives up a probe that does not answer (regression: it waited for ever)', async () => {
  await expect(waitFor(never, { what: 'it answers', timeoutMs: 5 })).rejects.toThrow('until it answers');
});

it.each([
  ['during a probe', never],
  ['between two probes', () => undefined],
])('ends %s when the signal aborts', async (_, probe) => {
  const abort = new AbortController();
  const waiting = waitFor(probe, {
    what: 'it answers',
    timeoutMs: 600_000,
    intervalMs: 600_000,
    signal: abort.signal,
  });
  abort.abort(new Error('Enough'));
  await expect(waiting).rejects.toThrow('Enough');
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
});

it('asks once even without any time, and passes on what a probe throws', async () => {
  expect(await waitFor(() => 1, { what: 'it is there', timeoutMs: 0 })).toBe(1);
  const refuse = () => Promise.reject(new Error('No'));
  await expect(waitFor(refuse, { what: 'it is there', timeoutMs: 1_000 })).rejects.toThrow('No');
});
