import { describe, expect, it } from 'vitest';
import { tellsVersionsApart } from '../../core/last-modified.ts';

describe('a modification date', () => {
  const date = 'Sat, 21 Nov 2026 10:00:05 GMT';

  it.each([
    ['a second ago or more', 'Sat, 21 Nov 2026 10:00:04 GMT', date, true],
    ['in the second of the answer', date, date, false],
    ['in the future', 'Sat, 21 Nov 2026 10:00:06 GMT', date, false],
    ['not readable', 'yesterday', date, false],
    ['beside an unreadable date', 'Sat, 21 Nov 2026 10:00:04 GMT', 'now', false],
    ['without a date beside it', 'Sat, 21 Nov 2026 10:00:04 GMT', undefined, false],
  ])('%s', (_words, lastModified, answeredAt, expected) => {
    expect(tellsVersionsApart(lastModified, answeredAt)).toBe(expected);
  });
});
