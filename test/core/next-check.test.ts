// The time of a record's next check.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waitAfterCheckMs } from '../../core/next-check.ts';

const DAY_MS = 86_400_000;
const spreads = fc.double({ min: 0, max: 1, noNaN: true });

describe('the next check', () => {
  it('comes after the interval, shifted by at most a twentieth', () => {
    fc.assert(
      fc.property(spreads, fc.double({ min: 0.1, max: 1e7, noNaN: true }), (spread, intervalSeconds) => {
        const inMs = waitAfterCheckMs({ intervalSeconds, spread });
        expect(Number.isInteger(inMs)).toBe(true);
        expect(Math.abs(inMs - intervalSeconds * 1_000)).toBeLessThanOrEqual(intervalSeconds * 50 + 1);
      }),
    );
    expect(waitAfterCheckMs({ intervalSeconds: 60, spread: 0.5 })).toBe(60_000);
  });

  it('is no sooner than the origin requests, a day at most, and no sooner than the interval', () => {
    const inMs = (retryAfterMs: number | null) =>
      waitAfterCheckMs({ intervalSeconds: 60, spread: 0.5, retryAfterMs });
    expect([null, 0, 59_000, 120_000, 30 * DAY_MS].map(inMs)).toEqual([
      60_000,
      60_000,
      60_000,
      120_000,
      DAY_MS,
    ]);
    expect(waitAfterCheckMs({ intervalSeconds: 3 * 86_400, spread: 0.5, retryAfterMs: 30 * DAY_MS })).toBe(
      3 * DAY_MS,
    );
  });

  it('waits longer while the body is fresh: for a second interval at most, and an hour at most', () => {
    const inMs = (intervalSeconds: number, freshForMs: number | null) =>
      waitAfterCheckMs({ intervalSeconds, spread: 0.5, freshForMs });
    expect([null, 0, 59_000, 90_000, 120_000, 30 * DAY_MS].map((freshMs) => inMs(60, freshMs))).toEqual([
      60_000, 60_000, 60_000, 90_000, 120_000, 120_000,
    ]);
    expect(inMs(86_400, 30 * DAY_MS)).toBe(DAY_MS + 3_600_000);
    expect(waitAfterCheckMs({ intervalSeconds: 60, spread: 0, freshForMs: 1 })).toBe(57_000);
  });
});
