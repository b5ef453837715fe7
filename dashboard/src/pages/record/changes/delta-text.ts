// Rows of an event as texts to be pasted: the same CSV as the API's file of an event, or a JSON array of its rows.
import { textOf, valueAt } from '../../../parts/row-table/exact-json.ts';
import type { DeltaRow } from './delta-row.ts';

export const jsonText = (rows: readonly DeltaRow[]): string => JSON.stringify(rows, null, 2);

/** A new row has one line, a deleted one too, a changed one both. */
export function csvText(rows: readonly DeltaRow[], columns: readonly string[]): string {
  const lines = rows.flatMap((row) =>
    (['before', 'after'] as const).flatMap((side) => {
      const data = row[side];
      if (data === null) return [];
      return [[row.changeType, side, row.key, ...columns.map((column) => cellText(valueAt(data, column)))]];
    }),
  );
  return [['change_type', 'row', 'key', ...columns], ...lines]
    .map((cells) => `${cells.map(csvCell).join(',')}\n`)
    .join('');
}

const cellText = (value: unknown): string => (value === null ? '' : (textOf(value) ?? ''));

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
