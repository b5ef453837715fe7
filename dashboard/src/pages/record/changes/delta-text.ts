// Rows of an event as text to paste: the same CSV as the API's file of an event, or a JSON array of its rows.
import { textOf, valueAt } from '../../../parts/row-table/exact-json.ts';
import { type CsvEscape, csvLine } from './csv-line.ts';
import type { DeltaRow } from '../rows/delta-row.ts';

/** The columns before a row's own columns. */
const OWN_COLUMNS = ['change_type', 'row', 'key'] as const;

export const jsonText = (rows: readonly DeltaRow[]): string => JSON.stringify(rows, null, 2);

/** A new or deleted row has one line, a changed row two. */
export function csvText(rows: readonly DeltaRow[], columns: readonly string[], escape: CsvEscape): string {
  const lines = rows.flatMap((row) =>
    (['before', 'after'] as const).flatMap((side) => {
      const data = row[side];
      if (data === null) return [];
      return [[row.changeType, side, row.key, ...columns.map((column) => cellText(valueAt(data, column)))]];
    }),
  );
  const own = OWN_COLUMNS.map((name) => freeName(name, columns));
  return [[...own, ...columns], ...lines].map((cells) => csvLine(cells, escape)).join('');
}

/** A column of the data keeps its name. */
const freeName = (name: string, columns: readonly string[]): string =>
  columns.includes(name) ? freeName(`_${name}`, columns) : name;

const cellText = (value: unknown): string => (value === null ? '' : (textOf(value) ?? ''));
