// Generates tables, and writes one table in many ways.
import fc from 'fast-check';

export interface Table {
  columns: string[];
  rows: string[][];
}

const awkward = fc.constantFrom(
  '',
  ' ',
  ',',
  ';',
  '\t',
  '|',
  '"',
  '""',
  '\n',
  '\r\n',
  '\r',
  '\\',
  'null',
  '0',
  '1.10',
  'é',
  '😀',
  '\u0001',
  '\u2028',
);
const value = fc.oneof(
  fc.array(awkward, { maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const clean = value.map((text) => text.replaceAll('\0', ' ').toWellFormed());

/** The first column is `id`, different in every row; no two columns have the same name. */
export const table: fc.Arbitrary<Table> = fc
  .tuple(
    fc.uniqueArray(
      clean.map((text) => `c${text}`),
      { maxLength: 4 },
    ),
    fc.uniqueArray(
      fc.tuple(fc.constantFrom('', 'é', '"', 'k,', '！', '😀'), fc.nat(9)).map(([text, n]) => `${text}${n}`),
      { maxLength: 6 },
    ),
    fc.array(clean, { minLength: 24, maxLength: 24 }),
  )
  .map(([names, ids, values]) => ({
    columns: ['id', ...names],
    rows: ids.map((id, row) => [id, ...names.map((_, column) => values[row * 4 + column] ?? '')]),
  }));

export interface CsvStyle {
  delimiter: string;
  lineEnd: string;
  quoteAll: boolean;
  hasLastLineEnd: boolean;
  blankLines: boolean;
}

export const csvStyle: fc.Arbitrary<CsvStyle> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  quoteAll: fc.boolean(),
  hasLastLineEnd: fc.boolean(),
  blankLines: fc.boolean(),
});

export function writeCsv({ columns, rows }: Table, style: CsvStyle): string {
  const { delimiter, lineEnd, quoteAll, hasLastLineEnd, blankLines } = style;
  const cell = (text: string): string =>
    quoteAll || text === '' || /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [columns, ...rows].map((cells) => cells.map(cell).join(delimiter));
  return lines.join(blankLines ? lineEnd + lineEnd : lineEnd) + (hasLastLineEnd ? lineEnd : '');
}

export interface JsonlStyle {
  lineEnd: string;
  isSpaced: boolean;
  escapeAll: boolean;
}

export const jsonlStyle: fc.Arbitrary<JsonlStyle> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\n\n'),
  isSpaced: fc.boolean(),
  escapeAll: fc.boolean(),
});

export function writeJsonl({ columns, rows }: Table, { lineEnd, isSpaced, escapeAll }: JsonlStyle): string {
  const space = isSpaced ? ' \t' : '';
  const text = (string: string): string =>
    escapeAll
      ? `"${Array.from({ length: string.length }, (_, at) => `\\u${string.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(string);
  const line = (cells: string[]): string =>
    `${space}{${cells.map((cell, at) => `${space}${text(columns[at] ?? '')}${space}:${space}${text(cell)}${space}`).join(',')}}${space}`;
  return rows.map((cells) => line(cells) + lineEnd).join('');
}

/** The same table with its columns and rows in another order. */
export function shuffled(
  { columns, rows }: Table,
  columnOrder: readonly number[],
  rowOrder: readonly number[],
): Table {
  const pick = <T>(items: readonly T[], order: readonly number[]): T[] =>
    order.flatMap((at) => items.slice(at, at + 1));
  return {
    columns: pick(columns, columnOrder),
    rows: pick(rows, rowOrder).map((cells) => pick(cells, columnOrder)),
  };
}

/** A table and orders for its columns and rows. */
export const tableAndOrders = table.chain((given) =>
  fc.record({
    given: fc.constant(given),
    columnOrder: order(given.columns.length),
    rowOrder: order(given.rows.length),
  }),
);

function order(length: number): fc.Arbitrary<number[]> {
  return fc.shuffledSubarray([...Array(length).keys()], { minLength: length, maxLength: length });
}
