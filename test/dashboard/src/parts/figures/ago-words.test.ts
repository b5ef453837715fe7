// How long ago something was, in words.
import { expect, it } from 'vitest';
import { agoWords } from '../../../../../dashboard/src/parts/figures/ago-words.ts';

const HOUR_MS = 3_600_000;

it.each([
  [0, 'now'],
  [-400, 'now'],
  [-1_000, '1 second ago'],
  [90_000, 'in 1 minute'],
  [-59 * 60_000, '59 minutes ago'],
  [-23 * HOUR_MS, '23 hours ago'],
])('%i ms: %s', (distanceMs, words) => {
  expect(agoWords(distanceMs)).toBe(words);
});

it.each([
  [-25 * HOUR_MS, '1 day ago'],
  [-47 * HOUR_MS, '1 day ago'],
  [47 * HOUR_MS, 'in 1 day'],
  [-48 * HOUR_MS, '2 days ago'],
])('regression: names no day of the calendar, %i ms: %s', (distanceMs, words) => {
  expect(agoWords(distanceMs)).toBe(words);
});
