// CSV and TSV to batches: names the columns after the header and fits every row to them.
import { CheckError } from '../errors.ts';
import type { Batch, Cell, RowLimits } from './model.ts';
import { splitDelimited } from './split-delimited.ts';
import { splitStream } from './split-stream.ts';
import { shorten, type Warnings } from './warnings.ts';

/**
 * @throws CheckError empty_body (not even a header), body_truncated (open quote), invalid_character and the
 * limits; row numbers in messages count the header as row 1, those in warnings begin after it
 */
export async function* parseDelimited(
  texts: AsyncIterable<string>,
  delimiter: string,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<Batch, void, undefined> {
  const split = (text: string, isEnd: boolean) => splitDelimited(text, delimiter, isEnd);
  let columns: string[] | undefined;
  let rowCount = 0;
  for await (const records of splitStream(texts, split, limits.maxRowLength)) {
    const header = columns === undefined ? records.shift() : undefined;
    if (header !== undefined) columns = nameColumns(header, limits, warnings);
    if (columns === undefined) continue;
    const rows: Cell[][] = [];
    for (const fields of records) rows.push(toCells(fields, columns, ++rowCount, limits, warnings));
    yield { columns, rows };
  }
  if (columns === undefined) throw new CheckError('empty_body');
}

/** Unique names in header order. A name that really occurs is never taken away by a suffix. */
export function nameColumns(header: readonly string[], limits: RowLimits, warnings: Warnings): string[] {
  if (header.length > limits.maxColumns)
    throw new CheckError('too_many_columns', `There are ${header.length}.`);
  const longAt = header.findIndex((text) => text.length > limits.maxNameLength);
  if (longAt !== -1) throw new CheckError('row_too_large', `The name of column ${longAt + 1} is too long.`);
  if (header.reduce((sum, text) => sum + text.length, 0) > limits.maxNamesLength) {
    throw new CheckError('row_too_large', 'The names of the columns are too long together.');
  }
  const given = new Set(header);
  const taken = new Set<string>();
  return header.map((text, index) => {
    const base = text === '' ? `column_${index + 1}` : text;
    let name = base;
    for (let n = 2; taken.has(name) || (name !== text && given.has(name)); n++) name = `${base}_${n}`;
    taken.add(name);
    if (text === '') warnings.add('empty_header', name);
    else if (name !== text) warnings.add('duplicate_header', name);
    return name;
  });
}

function toCells(
  fields: string[],
  columns: string[],
  row: number,
  limits: RowLimits,
  warnings: Warnings,
): Cell[] {
  if (fields.length < columns.length) warnings.add('ragged_rows', `row ${row}`);
  if (fields.length > columns.length) {
    warnings.add('extra_cells', `row ${row}`);
    fields.length = columns.length;
  }
  let length = 0;
  const cells = fields.map((field, index) => {
    length += field.length;
    if (field.length > limits.maxFieldLength) throw tooLarge(row, columns[index]);
    return toToken(field);
  });
  if (length > limits.maxRowLength) throw tooLarge(row);
  return cells;
}

function tooLarge(row: number, column?: string): CheckError {
  const place = column === undefined ? '' : `, column “${shorten(column)}”`;
  return new CheckError('row_too_large', `It is row ${row + 1}${place}.`);
}

// eslint-disable-next-line no-control-regex -- exactly what a JSON string must escape
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/** The same as JSON.stringify, which costs twice the time for most cells. */
function toToken(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}
