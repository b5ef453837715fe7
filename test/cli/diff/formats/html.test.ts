// Values in a page: null, an empty text and a missing value never look the same.
import { expect, it } from 'vitest';
import { htmlLines } from '../../../../cli/diff/formats/html.ts';
import type { DeltaLine } from '../../../../core/export/delta-lines.ts';

const cellsOf = (lines: DeltaLine[]): string => {
  const counts = { new: 0, changed: lines.length, deleted: 0, unchanged: 0 };
  const report = {
    names: { before: 'old', now: 'new' },
    counts,
    totals: { before: 1, now: 1 },
    columns: { before: ['id', 'v'], now: ['id', 'v'] },
    lines,
  };
  // What the page does not show is left out.
  return [...htmlLines(report as unknown as Parameters<typeof htmlLines>[0])].join('');
};

it.each([
  ['"-"', 'null', '<del>-</del><ins><i>null</i></ins>'],
  ['null', '""', '<del><i>null</i></del><ins></ins>'],
  ['null', '"null"', '<del>null</del><ins>&quot;null&quot;</ins>'],
  ['"x"', undefined, '<del>x</del><ins><i>(none)</i></ins>'],
  ['"(none)"', undefined, '<del>&quot;(none)&quot;</del><ins>(none)</ins>'],
  ['1', '"1"', '<del>1</del><ins>&quot;1&quot;</ins>'],
])('regression: %s and %s are %s', (before, after, html) => {
  const data = (value?: string): string => (value === undefined ? '{"id":"2"}' : `{"id":"2","v":${value}}`);
  const line = { key: '2', changeType: 'changed' as const, before: data(before), after: data(after) };
  expect(cellsOf([line])).toContain(`<td>2</td><td>${html}</td>`);
});

it.each([
  ['{"id":"2","v":null}', '<i>null</i>'],
  ['{"id":"2","v":"null"}', 'null'],
  ['{"id":"2","v":""}', ''],
  ['{"id":"2"}', '<i>(none)</i>'],
])('regression: of a new row %s has %j', (after, html) => {
  expect(cellsOf([{ key: '2', changeType: 'new', before: null, after }])).toContain(
    `<td>2</td><td>${html}</td>`,
  );
});
