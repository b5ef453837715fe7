// Cells and lines of CSV after RFC 4180, with \n as line end, optionally safe to open in spreadsheets.

export const CSV_ESCAPES = ['none', 'spreadsheet'] as const;

/** `none`: cells as they are. `spreadsheet`: no cell is read as a formula. */
export type CsvEscape = (typeof CSV_ESCAPES)[number];

/**
 * More than RFC 4180 requires: also control characters, backslashes (COPY of PostgreSQL ends at `\.`), and spaces at the
 * start or end, which some readers drop.
 */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const NEEDS_QUOTES = /[\0-\x1f",\\]|^ | $/;

/** At the start of a file readers drop a byte order mark, and spreadsheets take `ID` for the format SYLK. */
const MISREAD_AT_BEGINNING = /^(?:\ufeff|ID)/;

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** One cell, with quotes where it needs them. */
export function csvCell(text: string, escape: CsvEscape): string {
  const shown = escape === 'spreadsheet' ? protectCell(text) : text;
  return NEEDS_QUOTES.test(shown) ? quote(shown) : shown;
}

/** A line from cells made by csvCell; empty without cells. One empty cell is quoted, because readers skip empty lines. */
export function csvLine(cells: readonly string[]): string {
  if (cells.length === 0) return '';
  return cells.length === 1 && cells[0] === '' ? '""\n' : `${cells.join(',')}\n`;
}

export function csvHeader(columns: readonly string[], escape: CsvEscape): string {
  const [first = '', ...others] = columns;
  const cells = columns.length === 0 ? [] : [first, ...others].map((column) => csvCell(column, escape));
  if (MISREAD_AT_BEGINNING.test(first) && cells[0] === first) cells[0] = quote(first);
  return csvLine(cells);
}

const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Characters that start a formula, also in full width and after spaces that programs drop; and line breaks. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const SUSPECT = /^(?:[\0\t\r\n]|[\s\0-\x20\u200b-\u200f\u2060]*['=+\-@＝＋－＠])/;

/**
 * Puts an apostrophe before a cell that a spreadsheet could read as a formula, but not before a plain number: `=1+1`
 * becomes `'=1+1`, `-5` stays. A cell that begins with an apostrophe gets a second one, so that removing one restores it.
 */
export function protectCell(text: string): string {
  return SUSPECT.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}
