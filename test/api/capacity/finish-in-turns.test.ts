// Between the steps of a long computation, other work has its turns of the event loop.
import { afterEach, expect, it, vi } from 'vitest';
import { finishInTurns } from '../../../api/capacity/finish-in-turns.ts';
import type { Steps } from '../../../core/delta/steps.ts';

afterEach(() => vi.restoreAllMocks());

/** How many turns other work has while a computation takes so many steps. */
async function turnsWith(count: number, stepMs: number): Promise<number> {
  let [nowMs, turns] = [0, 0];
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  let waiting = setImmediate(function take() {
    turns += 1;
    waiting = setImmediate(take);
  });
  const steps = (function* (): Steps<string> {
    for (let step = 0; step < count; step++) {
      nowMs += stepMs;
      yield;
    }
    return 'done';
  })();
  expect(await finishInTurns(steps)).toBe('done');
  clearImmediate(waiting);
  return turns;
}

it('lets other work have a turn after each long step', async () => {
  expect(await turnsWith(100, 50)).toBeGreaterThanOrEqual(99);
  expect(await turnsWith(100, 1)).toBeLessThan(20);
  expect(await turnsWith(100, 1)).toBeGreaterThanOrEqual(9);
});

it('passes an error on', async () => {
  const steps = (function* (): Steps<string> {
    yield;
    throw new Error('a fault');
  })();
  await expect(finishInTurns(steps)).rejects.toThrow('a fault');
});
