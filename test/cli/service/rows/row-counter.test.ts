// The rows of a file are counted wherever its bytes are cut.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRowCounter } from '../../../../cli/service/rows/row-counter.ts';
import { csvHeader, csvLine, csvCell } from '../../../../core/export/csv-cell.ts';

const cell = fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', 'a', 'é', ' ') });
const rows = fc.array(fc.tuple(cell, cell));
const sizes = fc.integer({ min: 1, max: 7 });

function count(format: 'csv' | 'jsonl', text: string, size: number): number {
  const counter = createRowCounter(format);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
  return counter.rows();
}

it('has a line of JSON for each', () => {
  expect(count('jsonl', '', 1)).toBe(0);
  expect(count('jsonl', '{"a":"\\n\\""}\n{}\n{"a"', 3)).toBe(2);
});

it('has lines of CSV, whose cells may have line ends', () => {
  fc.assert(
    fc.property(rows, sizes, (values, size) => {
      const lines = values.map((cells) => csvLine(cells.map((text) => csvCell(text, 'none'))));
      const text = [csvHeader(['id', 'a "name"\nof two lines'], 'none'), ...lines].join('');
      expect(count('csv', text, size)).toBe(values.length);
      expect(count('csv', text.slice(0, -1), size)).toBe(Math.max(0, values.length - 1));
    }),
  );
});
