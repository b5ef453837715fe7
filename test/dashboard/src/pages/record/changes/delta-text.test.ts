// The CSV that the changes page copies equals the API's file of the same rows.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deltaCsvHeader, deltaCsvLines } from '../../../../../../core/export/delta-lines.ts';
import type { DeltaRow } from '../../../../../../dashboard/src/pages/record/rows/delta-row.ts';
import { csvText } from '../../../../../../dashboard/src/pages/record/changes/delta-text.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../../../support/runner/property-runs.ts';

/** Texts that spreadsheets and CSV readers misread, and any other text. */
const oddText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'=+-@\'" ,\\\t\r\n＝\u200b1.eE\ufeff'.split('')) }),
);
const cell = fc.oneof(oddText, fc.integer(), fc.boolean(), fc.constant(null));
/** Not `\`: after it, JSON.parse of V8 13.6 takes any name that is one escaped character for `\`. */
const name = fc
  .oneof(oddText, fc.constantFrom('key', '_key', 'row', '__proto__', 'constructor'))
  .filter((text) => text !== '\\');
const columns = fc.uniqueArray(name, { maxLength: 4 });
const rowsOf = (names: readonly string[]) => {
  const data = fc.tuple(...names.map(() => cell)).map((cells) => jsonOf(names, cells));
  return fc.array(fc.tuple(fc.constantFrom('new', 'paired', 'changed', 'deleted'), oddText, data, data), {
    maxLength: 4,
  });
};

/** JSON text, because assignment cannot create a member __proto__. */
const jsonOf = (names: readonly string[], cells: readonly unknown[]): string =>
  `{${names.map((each, at) => `${JSON.stringify(each)}:${JSON.stringify(cells[at])}`).join(',')}}`;

it.each(['none', 'spreadsheet'] as const)('escape=%s', PROPERTY_TIMEOUT, (escape) => {
  fc.assert(
    fc.property(
      columns.chain((names) => fc.tuple(fc.constant(names), rowsOf(names))),
      ([names, rows]) => {
        const lines = rows.map(([type, key, before, after]) => ({
          changeType: type === 'paired' ? ('changed' as const) : type,
          key,
          ...(type === 'paired' && { pairedBy: 'similarity' as const, previousKey: `${key}-` }),
          before: type === 'new' ? null : before,
          after: type === 'deleted' ? null : after,
        }));
        const csv = { columns: names, escape, hasPreviousKey: lines.some((line) => 'previousKey' in line) };
        const file = lines.map((line) => deltaCsvLines(line, csv)).join('');
        const shown = lines.map(({ before, after, ...line }): DeltaRow => {
          const read = (text: string | null) => (text === null ? null : JSON.parse(text));
          return { ...line, before: read(before), after: read(after), changedFields: [] };
        });
        expect(csvText(shown, names, escape)).toBe(deltaCsvHeader(csv) + file);
      },
    ),
    propertyRuns(300),
  );
});

it('a formula is escaped, and a number is not', () => {
  const after = JSON.parse('{"a":-5,"b":"+1+1"}');
  const row: DeltaRow = { changeType: 'new', key: '=1', before: null, after, changedFields: [] };
  expect(csvText([row], ['a', 'b'], 'spreadsheet')).toContain("new,after,'=1,-5,'+1+1\n");
  expect(csvText([row], ['a', 'b'], 'none')).toContain('new,after,=1,-5,+1+1\n');
});
