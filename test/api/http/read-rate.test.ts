// How fast a client reads a file: its own time counts, that of the server does not.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { measureReading } from '../../../api/http/read-rate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

it('counts what was read, and the time in which a piece waited for the client', async () => {
  async function* open() {
    vi.advanceTimersByTime(60_000);
    yield 'abcd';
    vi.advanceTimersByTime(60_000);
    yield new Uint8Array(3);
  }
  const { pieces, progress } = measureReading(open);
  expect(progress()).toEqual({ bytes: 0, waitedMs: 0 });
  await pieces.next();
  vi.advanceTimersByTime(200);
  expect(progress()).toEqual({ bytes: 0, waitedMs: 200 });
  await pieces.next();
  expect(progress()).toEqual({ bytes: 4, waitedMs: 200 });
  vi.advanceTimersByTime(50);
  expect(await pieces.next()).toMatchObject({ done: true });
  expect(progress()).toEqual({ bytes: 7, waitedMs: 250 });
});

it('opens nothing before the first piece, and closes what was opened', async () => {
  let state = 'untouched';
  async function* open() {
    state = 'open';
    try {
      yield 'a';
    } finally {
      state = 'closed';
    }
  }
  const { pieces } = measureReading(open);
  expect(state).toBe('untouched');
  await pieces.next();
  expect(state).toBe('open');
  await pieces.return(undefined);
  expect(state).toBe('closed');
});
