import { expect, it } from 'vitest';
import { slowestFiles } from './slowest-files.ts';

it('the slowest files are listed first, up to the limit', () => {
  const durations = [12, 61_449, 9_000].map((ms) => ({ project: 'pure', path: `test/${ms}.test.ts`, ms }));
  expect(slowestFiles(durations, 2)).toEqual([
    '   61.4 s  pure      test/61449.test.ts',
    '    9.0 s  pure      test/9000.test.ts',
  ]);
});
