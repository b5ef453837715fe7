// Cells that a spreadsheet must not take for a formula.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { protectCell } from '../../../core/export/csv-cell.ts';
import { restoreCell } from './rows.ts';
import { cellString } from './rows.ts';

it('puts an apostrophe before any text that may be a formula', () => {
  const risky = [
    '=1+1',
    '+cmd',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r1',
    '\n1',
    ' =1',
    '\u00a0=1',
    '\ufeff@a',
    '\u200b=1',
    '＝1',
    '＋1',
    '－1',
    '＠1',
    '-',
    "=cmd|' /C calc'!A0",
    '-5-',
    '1'.replace('1', '+1e'),
    "'=1",
  ];
  expect(risky.map(protectCell)).toEqual(risky.map((text) => `'${text}`));
});

it('does not change numbers and ordinary text', () => {
  const plain = ['', '-5', '+5', '-1.50', '-.5', '-5.', '1e2', '-1E+9', 'a=b', 'x-1', '#1', '(=1)', '😀'];
  expect(plain.map(protectCell)).toEqual(plain);
});

it('can be undone', () => {
  fc.assert(
    fc.property(cellString, (text) => {
      expect(restoreCell(protectCell(text))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});
