// A request that changes something has a limit of time. A file takes as long as it takes.
import { afterEach, expect, it, vi } from 'vitest';
import { signalOf } from '../../../../dashboard/src/client/time-limit.ts';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['POST', true],
  ['GET', false],
])('regression: whether a %s that hangs is given up: %s', (method, isGivenUp) => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const signal = signalOf(new Request('http://dashboard.test/v1/keys', { method }));
  limit.abort();
  expect(signal.aborted).toBe(isGivenUp);
});
