// A request has a limit of time. A file takes as long as it takes.
import { afterEach, expect, it, vi } from 'vitest';
import { signalOf } from '../../../../dashboard/src/client/time-limit.ts';

afterEach(() => vi.restoreAllMocks());

const EVENT = '/v1/sources/src_1/delta/evt_1';

it.each([
  ['POST', '/v1/keys', true],
  ['GET', '/v1/sources', true],
  ['GET', `${EVENT}/rows?q=/download`, true],
  ['GET', `${EVENT}/download?format=csv`, false],
])('regression: whether a %s %s that hangs is given up: %s', (method, path, isGivenUp) => {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const signal = signalOf(new Request(`http://dashboard.test${path}`, { method }));
  limit.abort();
  expect(signal.aborted).toBe(isGivenUp);
});

it('a request still ends when its caller gives it up', () => {
  const caller = new AbortController();
  const signal = signalOf(new Request(`http://dashboard.test${EVENT}`, { signal: caller.signal }));
  caller.abort();
  expect(signal.aborted).toBe(true);
});
