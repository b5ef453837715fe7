// Detects the delimiter of delimited text and the line of its header, which may have a title above it.
import { CheckError } from '../../errors.ts';
import { countLines, lineStart, namedDelimiter, NO_HEADER } from './parse-delimited.ts';
import { splitDelimited } from './split-delimited.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A header is searched in this many rows. */
const MAX_ROWS_ABOVE = 50;
/** A column of numbers or codes has them in at least this share of its cells. */
const MOST = 0.9;

interface TablePlace {
  delimiter: string;
  /** From 1; NO_HEADER if the setting says so. */
  headerRow: number;
}

/** Which cell has no name is not said by the file: to guess would give all others the name of their neighbour. */
const ONE_NAME_MISSING =
  ' One name is missing, as in tables that R writes with row names: write them with col.names = NA, or set headerRow to 0, ' +
  'which calls the columns column_1, column_2 and so on.';

interface Reading extends TablePlace {
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
 * @param head the first part of a body @param given settings, which win
 * @throws CheckError header_unclear: most rows have more cells than the first, and no row below is clearly the header
 */
export function detectTable(
  head: string,
  isWhole: boolean,
  given: { delimiter?: string | undefined; headerRow?: number | undefined } = {},
): TablePlace {
  const delimiter = given.delimiter ?? namedDelimiter(head);
  const candidates = delimiter === undefined ? DELIMITERS : [delimiter];
  const readings = candidates.map((each) => readAs(head, isWhole, each, given.headerRow));
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

function readAs(head: string, isWhole: boolean, delimiter: string, givenRow: number | undefined): Reading {
  const firstLine = givenRow === undefined || givenRow === NO_HEADER ? startLine(head) : givenRow;
  const text = head.slice(lineStart(head, firstLine) ?? head.length);
  const { rows } = splitDelimited(text, delimiter, isWhole);
  const headerAt = givenRow === undefined ? findHeader(rows, text, delimiter) : 0;
  const isFound = headerAt !== undefined && headerAt > 0;
  const line = isFound ? firstLine + placeOf(text, delimiter, headerAt).line : firstLine;
  const table = rows.slice(headerAt ?? 1);
  const width =
    headerAt === undefined || givenRow === NO_HEADER ? usual(widthsOf(rows)) : (table[0]?.length ?? 0);
  const share = table.filter((cells) => cells.length === width).length / table.length;
  return { delimiter, headerRow: givenRow ?? line, rows, headerAt, share, width };
}

/** The first line after an optional `sep=` line. */
const startLine = (head: string): number => (namedDelimiter(head) === undefined ? 1 : 2);

function headerUnclear({ rows, headerRow }: Reading): CheckError {
  const [first = [], ...below] = rows;
  const width = filledWidth(first);
  return new CheckError(
    'header_unclear',
    `Line ${headerRow} has ${width} cells, and most rows below have more. ` +
      'Set headerRow to the line of the header, or to 0 if the table has none.' +
      (width > 1 && below.every((cells) => cells.length === width + 1) ? ONE_NAME_MISSING : ''),
  );
}

/**
 * The first row, unless most rows have more cells. Then the first row with as many cells as those below, if there is evidence
 * that it is a header and not data.
 */
function findHeader(
  rows: readonly (readonly string[])[],
  text: string,
  delimiter: string,
): number | undefined {
  const widths = rows.map(filledWidth);
  const [first = 0] = widths;
  const isShort = mostAreWider(widths, 0);
  if (!isShort && first > 1) return 0;
  const at = firstWideRow(rows, widths);
  if (at !== undefined) {
    const isAfterBlank = widths[at - 1] === 0 || placeOf(text, delimiter, at).isAfterBlank;
    const isApart = isShort && (isAfterBlank || isTitle(rows, widths, at));
    if (isHeader(rows, at) && (isApart || hasContrast(rows, at))) return at;
  }
  // A header may have unnamed columns, but rarely all except one.
  const isPadded = (rows[0]?.length ?? 0) >= usual(widthsOf(rows.slice(1)));
  return !isShort || (isPadded && (first > 1 || rows[0]?.length === 2)) ? 0 : undefined;
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

/** Whether the cells are different names: no numbers or dates, and none occurs as a value below. */
function isHeader(rows: readonly (readonly string[])[], at: number): boolean {
  const cells = rows[at] ?? [];
  const names = cells.slice(0, filledWidth(cells));
  const isNamed =
    names.every((name) => name.trim() !== '' && !isValue(name)) && new Set(names).size === names.length;
  const isRepeated = names.some((name, column) => rows.slice(at + 1).some((row) => row[column] === name));
  return isNamed && names.some((name) => /\p{L}/u.test(name)) && !isRepeated;
}

/** Has digits and no letters. Years are excluded, because they may name columns. */
const isValue = (text: string): boolean =>
  /\d/.test(text) && !/\p{L}/u.test(text) && !/^\s*(?:1[89]|20|21)\d\d\s*$/.test(text);

/** Whether some column has digits in its cells but not in its name. */
function hasContrast(rows: readonly (readonly string[])[], at: number): boolean {
  const below = rows.slice(at + 1);
  return (rows[at] ?? []).some((name, column) => {
    const cells = below.map((row) => row[column] ?? '').filter((cell) => cell.trim() !== '');
    return (
      !/\d/.test(name) &&
      cells.length > 0 &&
      cells.filter((cell) => /\d/.test(cell)).length >= cells.length * MOST
    );
  });
}

/** Whether all rows above are clearly not part of the table: comments, or a title of several words or with padding. */
function isTitle(rows: readonly (readonly string[])[], widths: readonly number[], at: number): boolean {
  const above = rows.slice(0, at);
  const tableWidth = rows[at]?.length ?? 0;
  if (above.every(isComment)) return true;
  if (tableWidth < 3 || widths.slice(0, at).some((width) => width > 1)) return false;
  if (above.every((cells) => cells.length >= tableWidth)) return true;
  const table = rows.slice(at);
  // Prose with commas looks like rows, too.
  const isProse = table.some((cells) => cells.slice(1).some((cell) => /^\s/.test(cell)));
  const isEven = table.length > 2 && table.every((cells) => cells.length === tableWidth);
  return isEven && !isProse && above.every(([text = '']) => text.trim().split(/\s+/).length > 2);
}

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

/** How many lines are above a row, and whether the last of them is blank. */
function placeOf(text: string, delimiter: string, row: number): { line: number; isAfterBlank: boolean } {
  const end = splitDelimited(text, delimiter, true, row).consumedLength;
  const gap = /^[\r\n]*/.exec(text.slice(end))?.[0] ?? '';
  // The row above ends with the first of these line ends.
  const above = countLines(text.slice(0, end) + gap);
  const lastEnd = text[end - 1] === '\r' && gap.startsWith('\n') ? 1 : 0;
  return { line: above, isAfterBlank: countLines(gap.slice(lastEnd)) > 0 };
}
