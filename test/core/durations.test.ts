// Durations in the form that operators read.
import { expect, it } from 'vitest';
import { durationInWords } from '../../core/durations.ts';

it.each([
  [0, '0 ms'],
  [250, '250 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1_000, '1 s'],
  [59_600, '1 min'],
  [90_061, '1 min 30 s'],
  [3_600_000, '1 h'],
  [3_605_000, '1 h 5 s'],
  [86_399_999, '1 d'],
  [100 * 3_600_000 + 59_000, '4 d 4 h'],
])('%d ms is %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words);
});
