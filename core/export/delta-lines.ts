// The rows of a delta event as JSON Lines, or as CSV with a line for the values before and one for those after.
import { cellText, splitRowJson } from '../delta/keys/keyed-row.ts';
import { rowText } from '../delta/row-text.ts';
import { csvCell, csvHeader, csvLine, type CsvEscape } from './csv-cell.ts';

export interface DeltaLine {
  key: string;
  changeType: 'new' | 'changed' | 'deleted';
  /** The key before, of a row that was paired by similarity. */
  previousKey?: string | null;
  /** JSON object texts; `before` is null for a new row, `after` for a deleted one. */
  before: string | null;
  after: string | null;
}

/** Columns before those of the data. */
const OWN_COLUMNS = ['change_type', 'row', 'key'] as const;

/** The same object as in the API, on one line. */
export function deltaJsonLine(line: DeltaLine): string {
  // Within JSON text a line end can only be white space between tokens.
  return `${rowText(line).replaceAll(/[\r\n]/g, ' ')}\n`;
}

/** @param columns of the data; our own columns get underscores before their names if these are taken */
export function deltaCsvHeader(columns: readonly string[], escape: CsvEscape): string {
  const own = OWN_COLUMNS.map((name) => {
    let free: string = name;
    while (columns.includes(free)) free = `_${free}`;
    return free;
  });
  return csvHeader([...own, ...columns], escape);
}

/** A new row has one line, `after`; a deleted one `before`; a changed one both. */
export function deltaCsvLines(line: DeltaLine, columns: readonly string[], escape: CsvEscape): string {
  return csvRow('before', line, columns, escape) + csvRow('after', line, columns, escape);
}

function csvRow(
  side: 'before' | 'after',
  line: DeltaLine,
  columns: readonly string[],
  escape: CsvEscape,
): string {
  const data = line[side];
  if (data === null) return '';
  const tokens = new Map(splitRowJson(data));
  const cells = [line.changeType, side, line.key, ...columns.map((column) => cellText(tokens.get(column)))];
  return csvLine(cells.map((cell) => csvCell(cell, escape)));
}
