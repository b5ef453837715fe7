// Which columns a record ignores.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ignoreTest } from '../../../core/delta/model.ts';

const names = fc.array(fc.constantFrom('a', 'b', '.', 'é'), { maxLength: 6 }).map((parts) => parts.join(''));

it('are those with an ignored name, and in JSON those below one', () => {
  fc.assert(
    fc.property(
      fc.array(names, { maxLength: 4 }),
      names,
      fc.constantFrom('csv', 'json'),
      (ignored, column, format) => {
        const isBelow = format === 'json' && ignored.some((name) => column.startsWith(`${name}.`));
        expect(ignoreTest(ignored, format)(column)).toBe(ignored.includes(column) || isBelow);
      },
    ),
  );
});

it('are found as fast in a thousand long names', () => {
  const ignored = Array.from({ length: 1_000 }, (_, at) => `${'long name '.repeat(20)}${at}`);
  const isIgnored = ignoreTest(ignored, 'json');
  const columns = Array.from({ length: 50_000 }, (_, at) => `column ${at}`);
  expect(columns.filter(isIgnored)).toEqual([]);
});
