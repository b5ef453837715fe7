// Rows of an event as text to paste: a JSON array, or the same CSV as the API's files. A test compares the two.
import { textOf, valueAt } from '../../../parts/row-table/exact-json.ts';
import type { DeltaRow } from '../rows/delta-row.ts';

/** The columns before a row's own columns. */
const OWN_COLUMNS = ['change_type', 'row', 'key'] as const;

export const jsonText = (rows: readonly DeltaRow[]): string => JSON.stringify(rows, null, 2);

/** A new or deleted row has one line, a changed row two. With a pair among the rows, there is a column of previous keys. */
export function csvText(rows: readonly DeltaRow[], columns: readonly string[], escape: CsvEscape): string {
  const hasPreviousKey = rows.some(({ previousKey }) => previousKey !== undefined);
  const lines = rows.flatMap((row) =>
    (['before', 'after'] as const).flatMap((side) => {
      const data = row[side];
      if (data === null) return [];
      const own = [row.changeType, side, row.key, ...(hasPreviousKey ? [row.previousKey ?? ''] : [])];
      return [[...own, ...columns.map((column) => cellText(valueAt(data, column)))]];
    }),
  );
  const names = [...OWN_COLUMNS, ...(hasPreviousKey ? ['previous_key'] : [])];
  const own = names.map((name) => freeName(name, columns));
  return [[...own, ...columns], ...lines].map((cells) => csvLine(cells, escape)).join('');
}

/** A column of the data keeps its name. */
const freeName = (name: string, columns: readonly string[]): string =>
  columns.includes(name) ? freeName(`_${name}`, columns) : name;

const cellText = (value: unknown): string => (value === null ? '' : (textOf(value) ?? ''));

/** `none`: cells as they are. `spreadsheet`: no cell that a spreadsheet takes for a formula. */
type CsvEscape = 'none' | 'spreadsheet';

const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** What may begin a formula, after space that programs drop; or an apostrophe, so that removing one restores the cell. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const SUSPECT = /^(?:[\0\t\r\n]|[\s\0-\x20\u200b-\u200f\u2060]*['=+\-@＝＋－＠])/;
// oxlint-disable-next-line no-control-regex -- control characters are among them
const NEEDS_QUOTES = /[\0-\x1f",\\]|^ | $/;

const csvLine = (texts: readonly string[], escape: CsvEscape): string =>
  `${texts.map((text) => csvCell(text, escape)).join(',')}\n`;

function csvCell(text: string, escape: CsvEscape): string {
  const isFormula = escape === 'spreadsheet' && SUSPECT.test(text) && !PLAIN_NUMBER.test(text);
  const shown = isFormula ? `'${text}` : text;
  return NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
