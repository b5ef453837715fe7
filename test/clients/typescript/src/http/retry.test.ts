// Waits between repetitions: as Retry-After says, else doubling up to a limit.
import { expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../../../../clients/typescript/src/errors.ts';
import {
  isWorthRepeating,
  readRetryAfter,
  waitBefore,
} from '../../../../../clients/typescript/src/http/retry.ts';

it.each([
  ['120', 120_000],
  ['0', 0],
  ['Wed, 25 Nov 2026 00:01:00 GMT', 60_000],
  ['Tue, 24 Nov 2026 00:00:00 GMT', 0],
  ['soon', undefined],
  [null, undefined],
])('Retry-After: %s', (value, expected) => {
  expect(readRetryAfter(value, Date.parse('2026-11-25T00:00:00Z'))).toBe(expected);
});

it.each([
  [[408, 429, 500, 502, 503, 504, 520, 521, 524, 530], true],
  [[400, 404, 410, 501, 505], false],
] as const)('%j are worth repeating: %s', (statuses, expected) => {
  for (const status of statuses) expect(isWorthRepeating(new ApiError(status, {}), true)).toBe(expected);
});

it('waits as long as the API asks', () => {
  expect(waitBefore(3, new ApiError(429, {}, 7_000))).toBe(7_000);
});

it('regression: waits although the API asks for no wait again and again', () => {
  const hurried = new ApiError(503, {}, 0);
  expect([0, 1].map((repetition) => waitBefore(repetition, hurried))).toEqual([0, 0]);
  expect(waitBefore(2, hurried)).toBeGreaterThanOrEqual(1_000);
  expect(waitBefore(9, hurried)).toBeGreaterThanOrEqual(7_500);
  expect(waitBefore(9, new ApiError(429, {}, 40_000))).toBe(40_000);
});

it('doubles the wait, and never waits long', () => {
  const lost = new ConnectionError('lost');
  for (const [repetition, ceiling] of [
    [0, 500],
    [1, 1_000],
    [4, 8_000],
    [5, 15_000],
    [5_000, 15_000],
  ] as const) {
    const waits = Array.from({ length: 50 }, () => waitBefore(repetition, lost));
    expect(Math.max(...waits)).toBeLessThanOrEqual(ceiling);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(ceiling / 2);
  }
});
