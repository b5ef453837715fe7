// The freshness that an answer declares.
import { describe, expect, it } from 'vitest';
import {
  freshForMs,
  type FreshnessHeaders,
  parseHttpDate,
  tellsVersionsApart,
} from '../../core/http-caching.ts';

const DATE = 'Thu, 01 Jan 2026 12:00:00 GMT';
const NONE: FreshnessHeaders = { cacheControl: undefined, expires: undefined, date: DATE, age: undefined };

it.each<[string, Partial<FreshnessHeaders>, number | undefined]>([
  ['nothing', {}, undefined],
  ['a lifetime', { cacheControl: 'public, max-age=600' }, 600_000],
  ['a quoted one', { cacheControl: 'MAX-AGE="60"' }, 60_000],
  ['two: the shorter holds', { cacheControl: 'max-age=600, max-age=60' }, 60_000],
  ['less what it has spent in caches', { cacheControl: 'max-age=600', age: ' 500' }, 100_000],
  ['a lifetime that is over', { cacheControl: 'max-age=600', age: '600' }, undefined],
  ['none', { cacheControl: 'max-age=0, must-revalidate' }, undefined],
  ['not to be stored', { cacheControl: 'max-age=600, no-store' }, undefined],
  ['to be asked again', { cacheControl: 'no-cache, max-age=600' }, undefined],
  ['for shared caches only', { cacheControl: 's-maxage=600' }, undefined],
  ['stale is allowed', { cacheControl: 'stale-while-revalidate=600' }, undefined],
  ['nonsense', { cacheControl: 'max-age=-5, max-age=1e3, max-age=, xmax-age=7', age: '-1' }, undefined],
  ['more than a number holds', { cacheControl: `max-age=${'9'.repeat(400)}` }, 2 ** 31 * 1_000],
  ['the same in caches', { cacheControl: 'max-age=600', age: '9'.repeat(400) }, undefined],
  ['a lifetime in milliseconds', { cacheControl: 'max-age=31536000000' }, 2 ** 31 * 1_000],
  ['an expiry', { expires: 'Thu, 01 Jan 2026 12:10:00 GMT' }, 600_000],
  [
    'an expiry and a lifetime',
    { expires: 'Thu, 01 Jan 2026 12:10:00 GMT', cacheControl: 'max-age=5' },
    5_000,
  ],
  ['an expiry in the past', { expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }, undefined],
  ['expired already', { expires: '0' }, undefined],
  ['an expiry by an unknown clock', { expires: 'Thu, 01 Jan 2026 12:10:00 GMT', date: undefined }, undefined],
])('%s', (_what, headers, freshMs) => {
  expect(freshForMs({ ...NONE, ...headers })).toBe(freshMs);
});

describe('a modification date', () => {
  const date = 'Sat, 21 Nov 2026 10:00:05 GMT';

  it.each([
    ['two seconds ago or more', 'Sat, 21 Nov 2026 10:00:03 GMT', date, true],
    [
      'in the second before, with which a late clock may stamp (regression)',
      'Sat, 21 Nov 2026 10:00:04 GMT',
      date,
      false,
    ],
    ['in the second of the answer', date, date, false],
    ['in the future', 'Sat, 21 Nov 2026 10:00:06 GMT', date, false],
    ['not readable', 'yesterday', date, false],
    ['beside an unreadable date', 'Sat, 21 Nov 2026 10:00:03 GMT', 'now', false],
    ['without a date beside it', 'Sat, 21 Nov 2026 10:00:03 GMT', undefined, false],
  ])('%s', (_words, lastModified, answeredAt, expected) => {
    expect(tellsVersionsApart(lastModified, answeredAt)).toBe(expected);
  });
});

it.each([
  'Thu, 26 Nov 2026 09:00:00 GMT',
  'Thu, 26 Nov 2026 09:00:00 UTC',
  'Thu, 26 Nov 2026 09:00:00 +0000',
  'Thursday, 26-Nov-26 09:00:00 GMT',
  'Thu Nov 26 09:00:00 2026',
])('%s is a date of a header', (text) => {
  expect(parseHttpDate(text)).toBe(Date.UTC(2026, 10, 26, 9));
});

it('a day before the tenth has a space in asctime', () => {
  expect(parseHttpDate('Sun Nov  1 09:00:00 2026')).toBe(Date.UTC(2026, 10, 1, 9));
});

it.each([
  '',
  'yesterday',
  '2026-11-26 09:00:00',
  'Thu, 26 Nov 2026 09:00:00',
  'Thu, 26 Nov 2026 09:00:00 +0100',
  'Thu, 26 Nov 2026 09:00:00 GMT (secret)',
  'Thu, 99 Nov 2026 09:00:00 GMT',
])('%j is none', (text) => {
  expect(parseHttpDate(text)).toBeUndefined();
});
