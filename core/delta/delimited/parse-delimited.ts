// CSV and TSV to batches: names the columns after the header and fits every row to them.
import { CheckError } from '../../errors.ts';
import { nameColumns, NO_HEADER, skipLines } from './header-row.ts';
import type { Batch, Cell, RowLimits } from '../model.ts';
import { splitDelimited } from './split-delimited.ts';
import { splitStream } from './split-stream.ts';
import { createWarnings, shorten, type Warnings } from '../warnings.ts';

interface TableLayout {
  delimiter: string;
  /** The line of the header, from 1; NO_HEADER: the first row is one of the data. Undefined: see Dialect. */
  headerRow: number | undefined;
}

/**
 * A row with more cells than the header adds columns, so nothing of it is lost.
 * @throws CheckError empty_body (not even a header), body_truncated (open quote), invalid_character and the
 * limits; row numbers in messages count the header as row 1, those in warnings begin after it
 */
export async function* parseDelimited(
  texts: AsyncIterable<string>,
  { delimiter, headerRow: line }: TableLayout,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<Batch, void, undefined> {
  const split = (text: string, isEnd: boolean) => splitDelimited(text, delimiter, isEnd);
  const headerRow = line ?? 1;
  const hasHeader = headerRow !== NO_HEADER;
  let table: Table | undefined;
  let rowCount = 0;
  const lines = headerRow === 1 ? texts : skipLines(texts, headerRow, limits, warnings);
  for await (const records of splitStream(lines, split, limits.maxRowLength)) {
    const [first] = records;
    if (table === undefined && first !== undefined) {
      const header = hasHeader ? nameColumns(first, limits, warnings) : unnamed(first, limits);
      table = createTable(header, Number(hasHeader), line !== undefined, limits, warnings);
      if (hasHeader) records.shift();
    }
    if (table === undefined) continue;
    const rows: Cell[][] = [];
    for (const fields of records) rows.push(table.toCells(fields, ++rowCount));
    yield { columns: table.columns, rows };
  }
  if (table === undefined) throw new CheckError('empty_body');
}

interface Table {
  /** Grows with rows that are longer than the header. */
  columns: string[];
  toCells: (fields: string[], row: number) => Cell[];
}

/** @param headerRows how many rows come before the first one of the data @param isWhole whether all cells are kept */
function createTable(
  header: readonly string[],
  headerRows: number,
  isWhole: boolean,
  limits: RowLimits,
  warnings: Warnings,
): Table {
  const columns = [...header];

  const widen = (width: number): void => {
    const more = Array.from({ length: width - header.length }, () => '');
    columns.push(...nameColumns([...header, ...more], limits, createWarnings()).slice(columns.length));
  };

  const tooLarge = (row: number, column?: string): CheckError => {
    const place = column === undefined ? '' : `, column “${shorten(column)}”`;
    return new CheckError('row_too_large', `It is row ${row + headerRows}${place}.`);
  };

  return {
    columns,
    toCells(fields, row) {
      if (fields.length < header.length) warnings.add('ragged_rows', `row ${row}`);
      if (fields.length > header.length) {
        warnings.add('extra_cells', `row ${row}`);
        if (!isWhole) fields.length = header.length;
        else if (fields.length > columns.length) widen(fields.length);
      }
      let length = 0;
      const cells = fields.map((field, index) => {
        length += field.length;
        if (field.length > limits.maxFieldLength) throw tooLarge(row, columns[index]);
        return toToken(field);
      });
      if (length > limits.maxRowLength) throw tooLarge(row);
      return cells;
    },
  };
}

/** Names for the columns of a row. */
const unnamed = (cells: readonly string[], limits: RowLimits): string[] =>
  nameColumns(
    cells.map(() => ''),
    limits,
    createWarnings(),
  );

// eslint-disable-next-line no-control-regex -- exactly what a JSON string must escape
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/** The same as JSON.stringify, which costs twice the time for most cells. */
function toToken(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}
