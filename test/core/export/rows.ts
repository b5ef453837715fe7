// Rows in the form that the database returns, and generators of such rows.
import fc from 'fast-check';
import type { Cell } from '../../../core/delta/model.ts';
import { memberName, writeMembers } from '../../../core/delta/keys/keyed-row.ts';
import type { RowPage } from '../../../core/export/row-page.ts';

/** The texts with other bytes before, between and after them, as in a page. */
export function pageOf(texts: readonly string[]): RowPage {
  const spans: number[] = [];
  const parts: Buffer[] = [];
  let at = 0;
  for (const text of texts) {
    const between = Buffer.from([0, 2, 10, 34]);
    const bytes = Buffer.from(text);
    parts.push(between, bytes);
    spans.push(at + between.length, at + between.length + bytes.length);
    at += between.length + bytes.length;
  }
  return { bytes: Buffer.concat([...parts, Buffer.from([44, 255])]), spans };
}

/** Texts that readers and writers of CSV have got wrong. */
// prettier-ignore
const AWKWARD = [
  '', ' ', ' a', 'a ', '\t', '\n', '\r\n', '"', '""', ',', ';', "'", "''", '\\', '\\.', '\\N', '#', 'ID', 'NULL',
  '=1+1', "'=1", '+1', '-5', '-a', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\u00a0=1', '＝1', '＠a', '1e2', '+1.5E-3',
  '\ufeff', '\ufeffid', '\u2028', '\u0085', '\u0001', '\u007f', '😀', 'é', '__proto__', 'constructor', '0012', '-',
];

export const cellString = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...AWKWARD, 'a'), { maxLength: 4 }).map((parts) => parts.join('')),
);

const NUMBERS = ['0', '-0', '1e2', '1E400', '1.10', '10000000000000000999', '-5', 'true', 'false'];
const NESTED = ['[]', '{}', '[1,{"a":"]}\\""},[[]]]', '["\\\\","x,y"]', '[{}]', '["\\n=1"]'];

const cell: fc.Arbitrary<Cell> = fc.oneof(
  { weight: 6, arbitrary: cellString.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.constantFrom(...NESTED) },
  { weight: 2, arbitrary: fc.constantFrom('null', undefined) },
);

export interface Sheet {
  columns: string[];
  rows: Cell[][];
  /** JSON object texts; with `shuffled`, some members are in another order. */
  texts: string[];
}

export const sheet: fc.Arbitrary<Sheet> = fc
  .tuple(
    fc.uniqueArray(cellString, { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.array(cell, { minLength: 6, maxLength: 6 }), fc.boolean()), { maxLength: 8 }),
  )
  .map(([columns, drawn]) => {
    const rows = drawn.map(([cells]) => columns.map((_, index) => cells[index]));
    const texts = drawn.map(([, isTurned], index) => {
      const cells = rows[index] ?? [];
      return isTurned ? rowToJson(columns.toReversed(), cells.toReversed()) : rowToJson(columns, cells);
    });
    return { columns, rows, texts };
  });

/** A row's data as it is stored. Members are in column order; a missing cell is left out. */
export const rowToJson = (columns: readonly string[], cells: readonly Cell[]): string =>
  writeMembers(columns.map(memberName), [...columns.keys()], cells);

/** The inverse of protectCell. */
export const restoreCell = (text: string): string => (text.startsWith("'") ? text.slice(1) : text);
