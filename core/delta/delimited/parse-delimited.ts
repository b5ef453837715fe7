// Parses CSV and TSV: finds the header, names the columns, and fits every row to them.
import { CheckError } from '../../errors.ts';
import type { Batch, Cell, RowLimits } from '../model.ts';
import { type CellMarks, splitDelimited, splitStream, type SplitText } from './split-delimited.ts';
import { createWarnings, shorten, type Warnings } from '../warnings.ts';

interface TableLayout extends CellMarks {
  /** The line of the header, from 1; NO_HEADER: the first row is data. Undefined: see Dialect. */
  headerRow: number | undefined;
}

/**
 * A row with more cells than the header adds columns, so that no cell is lost.
 * @throws CheckError empty_body (not even a header, or white space alone), body_truncated (open quote), invalid_character and the
 * limits. Row numbers in errors count the header as row 1; those in warnings do not count it.
 */
export async function* parseDelimited(
  texts: AsyncIterable<string>,
  { headerRow: line, ...marks }: TableLayout,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<Batch, void, undefined> {
  const split = refusingStrayQuotes(marks);
  const headerRow = line ?? 1;
  const hasHeader = headerRow !== NO_HEADER;
  let table: Table | undefined;
  let rowCount = 0;
  let isBlank = true;
  const lines = headerRow === 1 ? texts : skipLines(texts, headerRow, limits, warnings);
  for await (const records of splitStream(lines, split, limits.maxRowLength)) {
    const [first] = records;
    isBlank &&= records.every((cells) => isBlankLine(cells, marks.delimiter));
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
  if (table === undefined)
    throw new CheckError(
      'empty_body',
      headerRow > 1 ? `It ends before line ${headerRow}, the header's.` : undefined,
    );
  if (isBlank) throw new CheckError('empty_body', 'It has white space only.');
}

/** The other reading of such a row is several rows. To take it for one would report the others as deleted. */
function refusingStrayQuotes(marks: CellMarks): SplitText<string[]> {
  let before = 0;
  return (text, isEnd) => {
    const found = splitDelimited(text, marks, isEnd);
    if (found.strayAt !== undefined)
      throw new CheckError('malformed_body', strayQuote(before + found.strayAt + 1));
    before += found.rows.length;
    return found;
  };
}

const strayQuote = (row: number): string =>
  `In row ${row} a quote opens a cell that goes on over the rows below, and text follows where it closes. ` +
  'Let the origin double the quotes within cells, and put quotes around each cell that has one. ' +
  'If quotes are ordinary characters in this text, set quoting to none.';

/** As some services send in place of a table that they cannot make. */
const isBlankLine = (cells: readonly string[], delimiter: string): boolean =>
  (cells.length === 1 || delimiter === '\t') && cells.every((cell) => cell.trim() === '');

interface Table {
  /** Grows with rows that are longer than the header. */
  columns: string[];
  toCells: (fields: string[], row: number) => Cell[];
}

/** @param headerRows rows before the data @param isWhole whether cells beyond the header are kept */
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
    const location = column === undefined ? '' : `, column “${shorten(column)}”`;
    return new CheckError('row_too_large', `It is row ${row + headerRows}${location}.`);
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

/** Column names for a table without a header. */
const unnamed = (cells: readonly string[], limits: RowLimits): string[] =>
  nameColumns(
    cells.map(() => ''),
    limits,
    createWarnings(),
  );

// eslint-disable-next-line no-control-regex -- exactly what a JSON string must escape
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/** Same result as JSON.stringify, which takes twice as long for most cells. */
function toToken(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** A header row of 0: the table has no header. */
export const NO_HEADER = 0;

/** Excel's optional first line, which names the delimiter. Tools that pad lines repeat the delimiter. */
const SEP_LINE = /^"?sep=([^"\r\n])\1*"?(?=[\r\n]|$)/i;
const LINE_END = /\r\n|\n|\r/g;

/** The delimiter from a `sep=` line. */
export const namedDelimiter = (text: string): string | undefined => SEP_LINE.exec(text)?.[1];

/** Counts the line ends in a text. */
export const countLines = (text: string): number => text.match(LINE_END)?.length ?? 0;

/**
 * The offset at which a line begins.
 * @param line from 1, as a text editor counts; NO_HEADER: the first line after an optional `sep=` line
 * @returns undefined if the text ends before, or may end within the line end
 */
export function lineStart(text: string, line: number): number | undefined {
  const wanted = line === NO_HEADER ? (namedDelimiter(text) === undefined ? 1 : 2) : line;
  if (wanted === 1) return 0;
  LINE_END.lastIndex = 0;
  for (let at = 1; LINE_END.test(text); at++) {
    if (at === wanted - 1) return LINE_END.lastIndex < text.length ? LINE_END.lastIndex : undefined;
  }
  return undefined;
}

/**
 * Skips the lines above the header.
 * @throws CheckError row_too_large: these lines are too long
 */
async function* skipLines(
  texts: AsyncIterable<string>,
  headerRow: number,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<string, void, undefined> {
  let prefix: string | undefined = headerRow === 1 ? undefined : '';
  for await (const text of texts) {
    if (prefix === undefined) {
      yield text;
      continue;
    }
    prefix += text;
    const start = lineStart(prefix, headerRow);
    if (start === undefined || (headerRow === NO_HEADER && !/[\r\n]./s.test(prefix))) {
      if (prefix.length > limits.maxRowLength) {
        throw new CheckError('row_too_large', 'It is one of the lines above the header.');
      }
      continue;
    }
    yield* skip(prefix, start, warnings);
    prefix = undefined;
  }
  if (prefix !== undefined) yield* skip(prefix, lineStart(prefix, headerRow) ?? prefix.length, warnings);
}

function* skip(prefix: string, start: number, warnings: Warnings): Generator<string> {
  const skipped = prefix.slice(0, start);
  if (skipped.includes('\0')) {
    throw new CheckError('invalid_character', 'It is NUL, in a line above the header.');
  }
  for (const [at, line] of skipped.split(LINE_END).entries()) {
    const isSaid = at === 0 && namedDelimiter(skipped) !== undefined;
    if (line.trim() !== '' && !isSaid) warnings.add('lines_above_header', `line ${at + 1}`);
  }
  if (start < prefix.length) yield prefix.slice(start);
}

/**
 * The columns that a header names. @param text the header and the lines above it
 * @throws CheckError the limits
 */
export function readHeader(text: string, marks: CellMarks, headerRow: number, limits: RowLimits): string[] {
  const header = text.slice(lineStart(text, headerRow) ?? text.length);
  const [cells = []] = splitDelimited(header, marks, true).rows;
  return nameColumns(cells, limits, createWarnings());
}

/** Unique names in header order. A name with a suffix never takes a name that occurs in the header. */
function nameColumns(header: readonly string[], limits: RowLimits, warnings: Warnings): string[] {
  if (header.length > limits.maxColumns)
    throw new CheckError('too_many_columns', `There are ${header.length}.`);
  const longAt = header.findIndex((text) => text.length > limits.maxNameLength);
  if (longAt !== -1) throw new CheckError('row_too_large', `The name of column ${longAt + 1} is too long.`);
  if (header.reduce((sum, text) => sum + text.length, 0) > limits.maxNamesLength) {
    throw new CheckError('row_too_large', 'The names of the columns are too long together.');
  }
  const given = new Set(header);
  const taken = new Set<string>();
  // Smaller numbers stay taken, so a thousand equal names are not looked through for each of them.
  const nextNumbers = new Map<string, number>();
  return header.map((text, index) => {
    const base = text === '' ? `column_${index + 1}` : text;
    let name = base;
    let n = nextNumbers.get(base) ?? 2;
    for (; taken.has(name) || (name !== text && given.has(name)); n++) name = `${base}_${n}`;
    nextNumbers.set(base, n);
    taken.add(name);
    if (text === '') warnings.add('empty_header', name);
    else if (name !== text) warnings.add('duplicate_header', name);
    return name;
  });
}
