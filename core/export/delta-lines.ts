// The rows of a delta event as lines of a file: JSON Lines, or CSV with a line for what was and one for what is.
import { cellText, changedFields, splitRowJson } from '../delta/json/row-json.ts';
import { csvCell, csvHeader, csvLine, type CsvEscape } from './csv-cell.ts';

export interface DeltaLine {
  key: string;
  changeType: 'new' | 'changed' | 'deleted';
  /** JSON object texts; null where there is none. */
  before: string | null;
  after: string | null;
}

/** What stands before a row's own columns. */
const OWN_COLUMNS = ['change_type', 'row', 'key'] as const;

/** An object as the API lists them, on a line of its own. */
export function deltaJsonLine({ key, changeType, before, after }: DeltaLine): string {
  const fields = before === null || after === null ? [] : changedFields(before, after);
  const members = [
    `"key":${JSON.stringify(key)}`,
    `"changeType":"${changeType}"`,
    `"before":${before ?? 'null'}`,
    `"after":${after ?? 'null'}`,
    `"changedFields":${JSON.stringify(fields)}`,
  ];
  // Inside of a JSON text, a line end can only be white space between two tokens.
  return `{${members.join(',').replaceAll(/[\r\n]/g, ' ')}}\n`;
}

/** @param columns of the data; a column of ours that is named like one of them gets underscores before its name */
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
