// When a worker takes another activity of a check.
import type { ActivityExecuteInput } from '@temporalio/worker';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CheckSlots, waitingForOthers } from '../../activities/check-slots.ts';

const OPTIONS = { total: 4, atWork: 2, briefMs: 1_000 };

/** Activities that end when they are told to, and the slots that were granted. */
function setUp() {
  const slots = new CheckSlots(OPTIONS);
  const execute = slots.interceptor().inbound?.execute;
  if (execute === undefined) throw new Error('There is no interceptor of activities');
  const granted: string[] = [];
  return {
    slots,
    granted,
    begin: (work: () => Promise<unknown>) => execute({} as ActivityExecuteInput, work),
    reserve: (name: string, signal = new AbortController().signal) =>
      slots.reserveSlot({}, signal).then(() => granted.push(name)),
  };
}

/** Work that ends when it is told to. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

/** Lets all promises that can resolve do so. */
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('slots of checks', () => {
  it('are granted while fewer activities than the limit are at work', async () => {
    const { begin, reserve, granted } = setUp();
    const [first, second] = [gate(), gate()];
    const running = [begin(() => first.promise), begin(() => second.promise)];
    void reserve('a');
    await settled();
    expect(granted).toEqual([]);
    first.open();
    await settled();
    expect(granted).toEqual(['a']);
    second.open();
    await Promise.all(running);
  });

  it('do not count activities that wait for others', async () => {
    const { slots, begin, reserve, granted } = setUp();
    const [origin, work] = [gate(), gate()];
    const check = async () => {
      await waitingForOthers(() => origin.promise);
      await work.promise;
    };
    const running = [begin(check), begin(check)];
    expect(slots.load).toEqual({ running: 2, atWork: 0 });
    void reserve('a');
    await settled();
    expect(granted).toEqual(['a']);
    origin.open();
    await settled();
    expect(slots.load).toEqual({ running: 2, atWork: 2 });
    void reserve('b');
    await settled();
    expect(granted).toEqual(['a']);
    work.open();
    await Promise.all(running);
    expect(granted).toEqual(['a', 'b']);
    expect(slots.load).toEqual({ running: 0, atWork: 0 });
  });

  it('do not count an activity that fails', async () => {
    const { slots, begin } = setUp();
    const failing = begin(() => waitingForOthers(() => Promise.reject(new Error('no answer'))));
    await expect(failing).rejects.toThrow('no answer');
    expect(slots.load).toEqual({ running: 0, atWork: 0 });
  });

  it('do not count what goes on after its activity has ended', async () => {
    const { slots, begin } = setUp();
    const disk = gate();
    let stuck: Promise<void> | undefined;
    // As an activity that is given up as stuck.
    await begin(async () => {
      stuck = waitingForOthers(() => disk.promise);
    });
    disk.open();
    await stuck;
    expect(slots.load).toEqual({ running: 0, atWork: 0 });
  });

  it('do not count work that takes long', async () => {
    const { begin, reserve, granted } = setUp();
    const large = gate();
    const running = [begin(() => large.promise), begin(() => large.promise)];
    void reserve('a');
    await vi.advanceTimersByTimeAsync(OPTIONS.briefMs - 1);
    expect(granted).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(granted).toEqual(['a']);
    large.open();
    await Promise.all(running);
  });

  it('are limited in all, however many wait', async () => {
    const { slots, reserve, granted } = setUp();
    for (const name of ['a', 'b', 'c', 'd', 'e']) void reserve(name);
    await settled();
    expect(granted).toEqual(['a', 'b', 'c', 'd']);
    slots.releaseSlot();
    await settled();
    expect(granted).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('are refused to tasks that come with the answer to a workflow task while too many are at work', async () => {
    const { slots, begin } = setUp();
    const work = gate();
    const running = [begin(() => work.promise), begin(() => work.promise)];
    expect(slots.tryReserveSlot()).toBeNull();
    work.open();
    await Promise.all(running);
    expect(slots.tryReserveSlot()).toEqual({});
  });

  it('are not granted to a poll that was given up', async () => {
    const { begin, reserve, granted } = setUp();
    const work = gate();
    const running = [begin(() => work.promise), begin(() => work.promise)];
    const poll = new AbortController();
    const reserving = reserve('given up', poll.signal);
    poll.abort();
    await expect(reserving).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    void reserve('next');
    work.open();
    await Promise.all(running);
    await settled();
    expect(granted).toEqual(['next']);
  });
});
