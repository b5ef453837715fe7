// The rows of a delta event as JSON Lines, or as CSV with a line for the values before and one for those after.
import { rowText } from '../delta/row-texts.ts';
import { cellText, splitRowJson } from '../delta/keys/keyed-row.ts';
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

export interface DeltaCsv {
  /** Of the data. */
  columns: readonly string[];
  escape: CsvEscape;
  /** Whether there is a column for the previous key of paired rows. */
  hasPreviousKey: boolean;
}

/** Columns before those of the data. */
const OWN_COLUMNS = ['change_type', 'row', 'key'] as const;

/** The same object as in the API, on one line. */
export function deltaJsonLine(line: DeltaLine): string {
  // Within JSON text a line end can only be white space between tokens.
  return `${rowText(line).replaceAll(/[\r\n]/g, ' ')}\n`;
}

/** Our own columns get underscores before their names if these are taken. */
export function deltaCsvHeader({ columns, escape, hasPreviousKey }: DeltaCsv): string {
  const own = [...OWN_COLUMNS, ...(hasPreviousKey ? ['previous_key'] : [])].map((name) => {
    let free = name;
    while (columns.includes(free)) free = `_${free}`;
    return free;
  });
  return csvHeader([...own, ...columns], escape);
}

/** A new row has one line, `after`; a deleted one `before`; a changed one both. */
export const deltaCsvLines = (line: DeltaLine, file: DeltaCsv): string =>
  csvRow('before', line, file) + csvRow('after', line, file);

function csvRow(side: 'before' | 'after', line: DeltaLine, file: DeltaCsv): string {
  const { columns, escape, hasPreviousKey } = file;
  const data = line[side];
  if (data === null) return '';
  const tokens = new Map(splitRowJson(data));
  const own = [line.changeType, side, line.key, ...(hasPreviousKey ? [line.previousKey ?? ''] : [])];
  const cells = [...own, ...columns.map((column) => cellText(tokens.get(column)))];
  return csvLine(cells.map((cell) => csvCell(cell, escape)));
}
