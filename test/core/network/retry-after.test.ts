// Waits that origins and endpoints ask for.
import { expect, it } from 'vitest';
import { parseRetryAfter } from '../../../core/network/retry-after.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12, 0, 0);

it.each([
  ['0', 0],
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Thu, 01 Jan 2026 12:01:00 GMT', 60_000],
  ['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
  ['Thu Jan  1 12:00:30 2026', 30_000],
  ['9999999999', 2 ** 31 * 1_000],
  ['99999999999999999999', 2 ** 31 * 1_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
])('%j is %d ms', (header, waitMs) => {
  expect(parseRetryAfter(header, NOW_MS)).toBe(waitMs);
});

it.each([undefined, '', '-5', '1.5', '1e3', 'soon', 'Mon, nonsense', '2026-01-01'])(
  '%j is ignored',
  (header) => {
    expect(parseRetryAfter(header, NOW_MS)).toBeUndefined();
  },
);
