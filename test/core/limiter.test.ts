// Limits by key: never exceeded, released once, first come first served, with room for new keys.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Limiter, type LimiterOptions, type Release } from '../../core/limiter.ts';
import { propertyRuns } from '../support/runner/property-runs.ts';

const KEYS = ['a', 'b', 'c', 'd'] as const;

type Step = { kind: 'take'; key: string } | { kind: 'release'; at: number } | { kind: 'abort'; at: number };

const key = fc.constantFrom(...KEYS);
const at = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('take' as const), key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort' as const), at }) },
);
const options: fc.Arbitrary<LimiterOptions> = fc.record(
  {
    total: fc.integer({ min: 1, max: 6 }),
    perKey: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant('fair' as const)),
    queue: fc.record({ max: fc.nat({ max: 4 }), error: fc.constant(() => new Error('full')) }),
  },
  { requiredKeys: [] },
);

interface Request {
  key: string;
  controller: AbortController;
  state: 'waiting' | 'running' | 'refused' | 'aborted';
  release?: Release;
}

/** Waits until every promise that can settle has settled. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

function request(limiter: Limiter, key: string): Request {
  const one: Request = { key, controller: new AbortController(), state: 'waiting' };
  limiter.take(key, { signal: one.controller.signal }).then(
    (release) => Object.assign(one, { state: 'running', release }),
    (error: unknown) => {
      one.state = error instanceof Error && error.message === 'full' ? 'refused' : 'aborted';
    },
  );
  return one;
}

function apply(limiter: Limiter, requests: Request[], one: Step): void {
  if (one.kind === 'take') return void requests.push(request(limiter, one.key));
  const wanted = one.kind === 'release' ? 'running' : 'waiting';
  const found = requests.filter(({ state }) => state === wanted);
  const target = found[one.at % found.length];
  if (target === undefined) return;
  if (one.kind === 'abort') return target.controller.abort();
  target.release?.();
  // Only the first call counts.
  target.release?.();
  requests.splice(requests.indexOf(target), 1);
}

/** @returns the faults after a step */
function faults(
  limiter: Limiter,
  { total = Infinity, perKey = Infinity, queue }: LimiterOptions,
  requests: readonly Request[],
): string[] {
  // prettier-ignore
  const running = requests.filter(({ state }) => state === 'running');
  const free = total - running.length;
  const found = free < 0 ? ['more than the total'] : [];
  for (const key of KEYS) {
    const mine = requests.filter((one) => one.key === key);
    const states = mine
      .map(({ state }) => state)
      .filter((state) => state !== 'refused' && state !== 'aborted');
    const held = states.filter((state) => state === 'running').length;
    const waiting = states.length - held;
    const max = perKey === 'fair' ? held + Math.max(0, free - held) : perKey;
    if (perKey !== 'fair' && held > perKey) found.push(`${key} has more than its share`);
    if (limiter.inUse(key) !== held) found.push(`${key} is miscounted`);
    if (limiter.waiting(key) !== waiting) found.push(`the queue of ${key} is miscounted`);
    if (waiting > 0 && free > 0 && held < max) found.push(`${key} waits beside room`);
    if (queue !== undefined && waiting > queue.max) found.push(`too many wait under ${key}`);
    if (states.lastIndexOf('running') > states.indexOf('waiting') && waiting > 0) {
      found.push(`${key} was overtaken`);
    }
  }
  return found;
}

describe('limits, in any order of taking, releasing and giving up', () => {
  it('are kept, leave nobody waiting next to a free unit, and are all released at the end', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(step, { maxLength: 40 }), async (given, steps) => {
        const limiter = new Limiter(given);
        const requests: Request[] = [];
        for (const one of steps) {
          apply(limiter, requests, one);
          await settled();
          expect(faults(limiter, given, requests)).toEqual([]);
        }
        for (const { controller } of requests) controller.abort();
        await settled();
        for (const { release } of requests) release?.();
        expect(KEYS.map((key) => limiter.inUse(key) + limiter.waiting(key))).toEqual([0, 0, 0, 0]);
      }),
      propertyRuns(300),
    );
  });

  it('hold for units under several keys: all or none of them', () => {
    const taking = fc.record({
      keys: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }),
      units: fc.integer({ min: 1, max: 5 }),
      gives: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(taking, { maxLength: 60 }), (steps) => {
        const limiter = new Limiter({ total: 12 });
        const taken: { keys: string[]; units: number; release: Release }[] = [];
        const sum = (key?: string) =>
          taken
            .filter(({ keys }) => key === undefined || keys.includes(key))
            .reduce((all, { units }) => all + units, 0);
        for (const { keys, units, gives } of steps) {
          if (gives) taken.shift()?.release();
          const full = keys.find((key) => sum(key) + units > 7) ?? (sum() + units > 12 ? 'total' : undefined);
          const result = limiter.tryTake(keys.map((key) => ({ key, max: 7 })), units); // prettier-ignore
          expect('full' in result ? result.full : undefined).toBe(full);
          if ('release' in result) taken.push({ keys, units, release: result.release });
          expect(KEYS.map((key) => limiter.inUse(key))).toEqual(KEYS.map((key) => sum(key)));
        }
      }),
      propertyRuns(),
    );
  });
});

describe('a queue for each key', () => {
  it('is served in order, refuses the excess, and affects no other key', async () => {
    const limiter = new Limiter({ perKey: 1, queue: { max: 2, error: () => new Error('One at a time.') } });
    const order: string[] = [];
    const first = await limiter.take('a');
    const [second, third] = [limiter.take('a'), limiter.take('a')];
    void second.then(() => order.push('second'));
    void third.then(() => order.push('third'));
    await expect(limiter.take('a')).rejects.toThrow('One at a time.');
    (await limiter.take('b'))();
    expect(order).toEqual([]);
    first();
    (await second)();
    (await third)();
    expect(order).toEqual(['second', 'third']);
    (await limiter.take('a'))();
  });

  it('accepts a request beyond its limit on demand', async () => {
    const limiter = new Limiter({ perKey: 1, queue: { max: 0, error: () => new Error('full') } });
    const first = await limiter.take('a');
    const second = limiter.take('a', { ignoreQueueLimit: true });
    await expect(limiter.take('a')).rejects.toThrow('full');
    first();
    (await second)();
  });
});

const NEVER = new AbortController().signal;

/** Starts work that ends on request. */
function begin(limiter: Limiter, key: string, log: string[], name = key, signal = NEVER) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = limiter.run(
    key,
    () => {
      log.push(name);
      return promise;
    },
    { signal },
  );
  return { end: resolve, done };
}

const fairLimiter = (total: number): Limiter => new Limiter({ total, perKey: 'fair' });

describe('fair shares', () => {
  it('are never all taken by one key', async () => {
    const limiter = fairLimiter(8);
    const log: string[] = [];
    for (let i = 0; i < 100; i += 1) begin(limiter, 'greedy', log);
    await settled();
    expect(log).toHaveLength(4);
    expect(limiter.waiting('greedy')).toBe(96);
    begin(limiter, 'modest', log);
    await settled();
    expect(log.at(-1)).toBe('modest');
  });

  it('leave room for each new key, however many came before', async () => {
    const limiter = fairLimiter(400);
    for (let account = 0; account < 8; account += 1) {
      const log: string[] = [];
      for (let i = 0; i < 1_000; i += 1) begin(limiter, `account ${account}`, log);
      await settled();
      expect(log.length).toBeGreaterThan(0);
    }
  });

  it('are given to the keys in turn, not in the order of requests', async () => {
    const limiter = fairLimiter(1);
    const log: string[] = [];
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const all = names.map((name) => begin(limiter, name.charAt(0), log, name));
    for (const one of all) one.end();
    await Promise.all(all.map(({ done }) => done));
    expect(log).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('are released by work that fails', async () => {
    const limiter = fairLimiter(1);
    await expect(limiter.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(limiter.run('a', () => Promise.resolve('yes'))).resolves.toBe('yes');
  });

  it('are not waited for after the signal aborts', async () => {
    const limiter = fairLimiter(1);
    const log: string[] = [];
    const first = begin(limiter, 'a', log);
    const controller = new AbortController();
    const second = begin(limiter, 'b', log, 'b', controller.signal);
    controller.abort(new Error('given up'));
    await expect(second.done).rejects.toThrow('given up');
    expect(limiter.waiting('b')).toBe(0);
    first.end();
    await first.done;
    const { signal } = controller;
    await expect(limiter.run('c', () => Promise.resolve(), { signal })).rejects.toThrow('given up');
    await expect(limiter.run('c', () => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});
