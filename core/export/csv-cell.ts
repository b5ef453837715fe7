// Lines of CSV after RFC 4180, with \n as line end.
import { protectCell } from './spreadsheet.ts';

export const CSV_ESCAPES = ['none', 'spreadsheet'] as const;

/** `none`: cells as they are. `spreadsheet`: none of them a formula (spreadsheet.ts). */
export type CsvEscape = (typeof CSV_ESCAPES)[number];

/**
 * Besides what RFC 4180 names: control characters and backslashes (COPY of PostgreSQL ends at `\.`), spaces at an
 * edge, which some readers drop.
 */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const NEEDS_QUOTES = /[\0-\x1f",\\]|^ | $/;

/** At the beginning of a file, readers drop a byte order mark, and spreadsheets take `ID` for another format (SYLK). */
const MISREAD_AT_BEGINNING = /^(?:\ufeff|ID)/;

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** One cell, with quotes where it needs them. */
export function csvCell(text: string, escape: CsvEscape): string {
  const shown = escape === 'spreadsheet' ? protectCell(text) : text;
  return NEEDS_QUOTES.test(shown) ? quote(shown) : shown;
}

/** A line from cells that csvCell made; none for no cells. A line with nothing on it would be skipped by readers. */
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
