// Values in words: null, an empty text and a missing value never look the same.
import { expect, it } from 'vitest';
import { rowLine } from '../../../../cli/diff/formats/text.ts';

const plain = (_style: string, text: string): string => text;
const known = { key: { fields: ['id'] } };

const changed = (before: string, after: string): string => {
  const data = (value: string): string => (value === '' ? '{"id":"2"}' : `{"id":"2","v":${value}}`);
  const line = { key: '2', changeType: 'changed' as const, before: data(before), after: data(after) };
  return rowLine(line, { known }, plain).slice('~ 2  '.length);
};

it.each([
  ['"-"', 'null', 'v: “-” → null'],
  ['null', '""', 'v: null → “”'],
  ['null', '"null"', 'v: null → “null”'],
  ['null', '', 'v: null → (none)'],
  ['"(none)"', '', 'v: “(none)” → (none)'],
  ['1', '"1"', 'v: 1 → "1"'],
])('regression: %s and %s are %s', (before, after, words) => {
  expect(changed(before, after)).toBe(words);
});

it('regression: a new row has null without quotes', () => {
  const line = { key: '2', changeType: 'new' as const, before: null, after: '{"id":"2","v":null,"w":""}' };
  expect(rowLine(line, { known }, plain)).toBe('+ 2  v null, w “”');
});
