// Detects the delimiter of delimited text and the line of its header, which may have a title above it.
import { CheckError } from '../../errors.ts';
import { type FieldPart, partOf } from '../field-names.ts';
import type { Quoting } from '../model.ts';
import { countLines, lineStart, namedDelimiter, NO_HEADER } from './parse-delimited.ts';
import { type CellMarks, splitDelimited } from './split-delimited.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A header is searched in this many rows. */
const MAX_ROWS_ABOVE = 50;
/** A column of numbers or codes has them in at least this share of its cells. */
const MOST = 0.9;
/** So many words above columns of numbers, with so many rows below, are a header even if no word is a known name. */
const MANY_WORDS = 4;
const MANY_ROWS = 10;
/** By chance, only one row of data in 2,500 has so many steps in one direction. */
const LEAST_STEPS = 6;

interface TableForm {
  delimiter: string;
  /** From 1; NO_HEADER if the setting says so. */
  headerRow: number;
}

/** Which cell has no name is not said by the file: to guess would give all others the name of their neighbour. */
const ONE_NAME_MISSING =
  ' One name is missing, as in tables that R writes with row names: write them with col.names = NA, or set headerRow to 0, ' +
  'which calls the columns column_1, column_2 and so on.';

interface Reading extends TableForm {
  rows: readonly (readonly string[])[];
  /** The row of the header; undefined if unclear. */
  headerAt: number | undefined;
  /** The share of rows, from the header on, with as many cells as the header. */
  share: number;
  width: number;
}

/**
 * Chooses among comma, semicolon, tab and pipe the delimiter under which most rows have as many cells as the header, and
 * among equals the one with most cells; a comma if the header has one cell under all of them.
 * @param prefix the first part of a body @param given settings, which win
 * @throws CheckError header_unclear: most rows have more cells than the first, and no row below is clearly the header
 */
export function detectTable(
  prefix: string,
  isWhole: boolean,
  given: {
    delimiter?: string | undefined;
    headerRow?: number | undefined;
    quoting?: Quoting | undefined;
  } = {},
): TableForm {
  const delimiter = given.delimiter ?? namedDelimiter(prefix);
  const candidates = delimiter === undefined ? DELIMITERS : [delimiter];
  const { headerRow, quoting = 'double' } = given;
  const readings = candidates.map((each) => readAs(prefix, isWhole, { delimiter: each, quoting }, headerRow));
  const clear = readings.filter(({ headerAt, width }) => headerAt !== undefined && width > 1);
  const [best] = clear.toSorted((one, other) => other.share - one.share || other.width - one.width);
  if (best !== undefined) return best;
  const [first] = readings;
  const unclear = readings.find(
    ({ headerAt, share }, at) => headerAt === undefined && (at === 0 || share >= MOST),
  );
  if (unclear !== undefined) throw headerUnclear(unclear);
  return { delimiter: first?.delimiter ?? ',', headerRow: first?.headerRow ?? 1 };
}

/** Reads the first part of a body. @param givenRow the line of the header; undefined: find it */
export function readAs(
  prefix: string,
  isWhole: boolean,
  marks: CellMarks,
  givenRow: number | undefined,
): Reading {
  const firstLine = givenRow === undefined || givenRow === NO_HEADER ? startLine(prefix) : givenRow;
  const text = prefix.slice(lineStart(prefix, firstLine) ?? prefix.length);
  const { rows } = splitDelimited(text, marks, isWhole);
  const headerAt = givenRow === undefined ? findHeader(rows) : 0;
  const isFound = headerAt !== undefined && headerAt > 0;
  const line = isFound ? firstLine + linesAbove(text, marks, headerAt) : firstLine;
  const table = rows.slice(headerAt ?? 1);
  const width =
    headerAt === undefined || givenRow === NO_HEADER ? usual(widthsOf(rows)) : (table[0]?.length ?? 0);
  const share = table.filter((cells) => cells.length === width).length / table.length;
  return { delimiter: marks.delimiter, headerRow: givenRow ?? line, rows, headerAt, share, width };
}

/** The first line after an optional `sep=` line. */
const startLine = (prefix: string): number => (namedDelimiter(prefix) === undefined ? 1 : 2);

function headerUnclear({ rows, headerRow }: Reading): CheckError {
  const [first = [], ...below] = rows;
  const width = filledWidth(first);
  const fault = mostAreWider(rows.map(filledWidth), 0)
    ? `has ${width} cells, and most rows below have more`
    : isData(rows)
      ? 'looks like a row of data'
      : 'may be a title above the header';
  return new CheckError(
    'header_unclear',
    `Line ${headerRow} ${fault}. Set headerRow to the line of the header, or to 0 if the table has none.` +
      (width > 1 && below.every((cells) => cells.length === width + 1) ? ONE_NAME_MISSING : ''),
  );
}

/**
 * The first row, unless most rows have more cells. Then the first row with as many cells as those below, if its cells differ
 * from those below in kind and are known as names of columns, and no row above may be the header. A title or a blank line
 * above is no evidence: the first row of data may follow it, too.
 */
function findHeader(rows: readonly (readonly string[])[]): number | undefined {
  const widths = rows.map(filledWidth);
  const [first = 0] = widths;
  const isShort = mostAreWider(widths, 0);
  const top = isData(rows) || isTitleAboveHeader(rows) ? undefined : 0;
  if (!isShort && first > 1) return top;
  const at = firstWideRow(rows, widths);
  if (at !== undefined && isHeader(rows, at) && hasContrast(rows, at))
    return isClear(rows, at) ? at : undefined;
  // A header may have unnamed columns, but rarely all except one.
  const isPadded = (rows[0]?.length ?? 0) >= usual(widthsOf(rows.slice(1)));
  return !isShort || (isPadded && (first > 1 || rows[0]?.length === 2)) ? top : undefined;
}

/** Whether the first row has numbers as data has, or a code or a date of the same form as all those below. */
function isData([first = [], ...below]: readonly (readonly string[])[]): boolean {
  if (hasDataNumbers(first)) return true;
  const cells = byColumn(below);
  return first.some((text, column) => {
    if (!isCode(text.trim())) return false;
    const forms = cells[column]?.map(formOf).filter((form) => form !== '') ?? [];
    const own = formOf(text);
    return forms.length > 1 && forms.every((form) => form === own);
  });
}

/** The cells that rows have, by column. Most rows may be far shorter than the first. */
function byColumn(rows: readonly (readonly string[])[]): string[][] {
  const columns: string[][] = [];
  for (const row of rows) for (const [column, cell] of row.entries()) (columns[column] ??= []).push(cell);
  return columns;
}

/** A text with digits, such as a date or “A-1”, that is no number. */
const isCode = (text: string): boolean =>
  !NUMBER.test(text) && (/\d.*\d/.test(text) || (/\d/.test(text) && /[^\p{L}\d]/u.test(text)));

const formOf = (text: string): string => text.trim().replaceAll(/\p{L}/gu, 'a').replaceAll(/\d/g, '9');

/**
 * Whether numbers in a row are data. Columns may be named by numbers only if these are years, have equal steps like hours,
 * or are many that rise or fall, like wavelengths.
 */
function hasDataNumbers(row: readonly string[]): boolean {
  const numbers = row.map((text) => text.trim()).filter((text) => NUMBER.test(text));
  if (numbers.every((text) => YEAR.test(text))) return false;
  const steps = numbers.slice(1).map((text, at) => Number(text) - Number(numbers[at]));
  const areEqual = steps.every((step) => step !== 0 && Math.abs(step - (steps[0] ?? 0)) < 1e-9);
  if (areEqual && (steps.length > 1 || Math.abs(steps[0] ?? 0) === 1)) return false;
  const isOneWay = steps.every((step) => step > 0) || steps.every((step) => step < 0);
  return !isOneWay || steps.length < LEAST_STEPS;
}

/** Whether the second row is a header of known names, and the first has none. */
const isTitleAboveHeader = (rows: readonly (readonly string[])[]): boolean =>
  !rows[0]?.some((name) => KNOWN_PARTS.includes(partOf(name))) &&
  isHeader(rows, 1) &&
  hasContrast(rows, 1) &&
  hasKnownNames(rows, 1);

/** Whether a row of words above numbers is certainly the header, and not a row of data whose numbers are not known. */
function isClear(rows: readonly (readonly string[])[], at: number): boolean {
  const isKnown = hasKnownNames(rows, at);
  const areMany = digitsBelow(rows, at).length >= MANY_WORDS && rows.length - at > MANY_ROWS;
  const above = rows.slice(0, at).map(namesIn);
  return (
    (isKnown || areMany) && !above.some((texts) => mayBeHeader(texts, filledWidth(rows[at] ?? []), isKnown))
  );
}

/**
 * Whether the row looks like a header: one cell names a key, a time or an entity, or half of the cells have known names. A name
 * counts only if no cell below it is of the same kind.
 */
function hasKnownNames(rows: readonly (readonly string[])[], at: number): boolean {
  const names = rows[at] ?? [];
  const below = byColumn(rows.slice(at + 1));
  const known = names.filter((name, column) => {
    const part = partOf(name);
    return KNOWN_PARTS.includes(part) && below[column]?.some((text) => partOf(text) === part) !== true;
  });
  return known.some((name) => MAIN_PARTS.includes(partOf(name))) || known.length * 2 >= names.length;
}

/** The first row with more cells than every row above and at least as many as most rows below. */
function firstWideRow(rows: readonly (readonly string[])[], widths: readonly number[]): number | undefined {
  let above = 0;
  for (let at = 0; at < Math.min(rows.length - 1, MAX_ROWS_ABOVE); at++) {
    const width = widths[at] ?? 0;
    if (at > 0 && width > Math.max(1, above) && !mostAreWider(widths, at)) {
      const below = widths.slice(at + 1);
      return below.filter((each) => each > above).length * 2 > below.length ? at : undefined;
    }
    if (!isComment(rows[at])) above = Math.max(above, width);
  }
  return undefined;
}

/** Whether the cells are different names, and none occurs as a value below. */
function isHeader(rows: readonly (readonly string[])[], at: number): boolean {
  const cells = rows[at] ?? [];
  const names = cells.slice(0, filledWidth(cells));
  const isNamed = names.every(isName) && new Set(names).size === names.length;
  const below = byColumn(rows.slice(at + 1));
  const isRepeated = names.some((name, column) => below[column]?.includes(name));
  return isNamed && names.some((name) => /\p{L}/u.test(name)) && !isRepeated;
}

/** A number, also with separators between its digits. */
const NUMBER = /^[-+−]?(?:\d+(?:[.,' \u00a0\u202f]\d+)*|[.,]\d+)(?:e[-+]?\d+)?$/i;
const YEAR = /^\s*(?:1[89]|20|21)\d\d\s*$/;
/** The words that tables use for an unknown value. */
const NO_VALUE =
  /^(?:n\W?a|n\W?d|nan|nil|none|null|unknown|missing|not (?:available|known)|pending|tb[ac]|true|false|yes|no)$/i;

/** Whether a text has no letter or digit, or only a word for an unknown value between marks. Takes linear time. */
function isNoValue(text: string): boolean {
  const start = text.search(/\w/);
  if (start === -1) return true;
  let end = text.length;
  while (!/\w/.test(text.charAt(end - 1))) end -= 1;
  return NO_VALUE.test(text.slice(start, end));
}

/** Whether a text can name a column: it is no number, no date and no mark for a missing value. A year may name one. */
const isName = (text: string): boolean => YEAR.test(text) || (/\p{L}/u.test(text) && !isNoValue(text));

/** The names of the columns with digits in their cells, except of those that are named by a year. */
function digitsBelow(rows: readonly (readonly string[])[], at: number): string[] {
  const below = byColumn(rows.slice(at + 1));
  return (rows[at] ?? []).filter((name, column) => {
    const cells = below[column]?.filter((cell) => cell.trim() !== '') ?? [];
    const count = cells.filter((cell) => /\d/.test(cell)).length;
    return !YEAR.test(name) && count > 0 && count >= cells.length * MOST;
  });
}

/** Whether most columns with digits in their cells have none in their names. */
function hasContrast(rows: readonly (readonly string[])[], at: number): boolean {
  const names = digitsBelow(rows, at);
  return names.filter((name) => !/\d/.test(name)).length * 2 > names.length;
}

/** What a name says about a column. One of the first kind, or several of the others, are hardly a row of data. */
const MAIN_PARTS: readonly FieldPart[] = ['key', 'ends-like-key', 'time', 'entity'];
const KNOWN_PARTS: readonly FieldPart[] = [...MAIN_PARTS, 'level', 'attribute', 'changing'];

/** The cells that may be names. The header may be a comment. */
const namesIn = ([first = '', ...others]: readonly string[]): string[] =>
  [first.replace(/^#+/, ''), ...others].filter(isName);

/**
 * Whether the names in a row above may be the header of a table with so many columns, without some of the names. Two facts
 * may also be above a header of known names, if they are fewer than half.
 */
const mayBeHeader = (names: readonly string[], width: number, isKnown: boolean): boolean =>
  names.length > 1 &&
  (names.length * 2 >= width || !isKnown || names.every((name) => MAIN_PARTS.includes(partOf(name))));

const isComment = (cells: readonly string[] | undefined): boolean => cells?.[0]?.startsWith('#') ?? false;

/** Number of cells up to the last one with text. */
const filledWidth = (cells: readonly string[]): number =>
  cells.findLastIndex((cell) => cell.trim() !== '') + 1;

const widthsOf = (rows: readonly (readonly string[])[]): number[] => rows.map(({ length }) => length);

function mostAreWider(widths: readonly number[], at: number): boolean {
  const below = widths.slice(at + 1);
  return below.filter((width) => width > (widths[at] ?? 0)).length * 2 > below.length;
}

/** The most frequent number; 0 for none. */
function usual(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? 0;
}

/** How many lines of the text are above a row. */
function linesAbove(text: string, marks: CellMarks, row: number): number {
  const end = splitDelimited(text, marks, true, row).consumedLength;
  const gap = /^[\r\n]*/.exec(text.slice(end))?.[0] ?? '';
  return countLines(text.slice(0, end) + gap);
}
