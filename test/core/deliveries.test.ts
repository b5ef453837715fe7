// The times at which a failed delivery is retried.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../core/config.ts';
import { nextAttemptInMs } from '../../core/deliveries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const spreads = fc.double({ min: 0, max: 1, noNaN: true });

describe('the schedule of deliveries', () => {
  const schedule = parseConfig({}).deliverySchedule;
  const waits = (spread: number) => {
    const all: number[] = [];
    for (let made = 1; ; made += 1) {
      const wait = nextAttemptInMs(schedule, made, { spread });
      if (wait === null) return all;
      all.push(wait);
    }
  };
  const sum = (numbers: readonly number[]) => numbers.reduce((total, next) => total + next, 0);

  it('makes ten attempts over about 75 hours, each wait longer than the one before', () => {
    const all = waits(0.5);
    expect(all).toHaveLength(9);
    expect(sum(all) / HOUR_MS).toBeCloseTo(75.6, 1);
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect(all[0]).toBe(5_000);
  });

  it('shifts each wait by at most a fifth, either way', () => {
    fc.assert(
      fc.property(spreads, (spread) => {
        for (const [at, wait] of waits(spread).entries()) {
          const planned = schedule[at] ?? 0;
          expect(Math.abs(wait - planned)).toBeLessThanOrEqual(planned * 0.2 + 1);
        }
      }),
    );
    expect(waits(0)[0]).toBe(4_000);
    expect(waits(1)[0]).toBe(6_000);
  });

  it('follows the endpoint’s Retry-After, a day at most, and never less than planned', () => {
    const wait = (retryAfterMs: number | null) => nextAttemptInMs([5_000], 1, { spread: 0.5, retryAfterMs });
    expect([null, 0, 4_000, 60_000, DAY_MS, 9 * DAY_MS].map(wait)).toEqual([
      5_000,
      5_000,
      5_000,
      60_000,
      DAY_MS,
      DAY_MS,
    ]);
  });

  it('ends, whatever the endpoint requests', () => {
    expect(nextAttemptInMs([5_000], 2, { spread: 0.5, retryAfterMs: 1_000 })).toBeNull();
    expect(nextAttemptInMs([], 1, { spread: 0.5 })).toBeNull();
  });
});
