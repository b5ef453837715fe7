// Events and rows from which the tests of notices make messages.
import type { SelectedRows } from '../../../core/delivery-rows.ts';
import { type RowTexts, rowText } from '../../../core/delta/row-texts.ts';

/** The record that the notices are about. */
export const record = { recordId: 'src_1', recordName: 'Jams', baseUrl: 'https://watch.example' };
/** A webhook without filters. */
export const ALL = { changeTypes: null, columns: null };

export const rowOf = (key: string, before: object | null, after: object | null): RowTexts => ({
  key,
  changeType: before === null ? 'new' : after === null ? 'deleted' : 'changed',
  before: before && JSON.stringify(before),
  after: after && JSON.stringify(after),
});

export const found = (rows: readonly RowTexts[], goesOnAfter: string | null = null): SelectedRows => ({
  rows: rows.map((row) => ({ key: row.key, text: rowText(row) })),
  goesOnAfter,
});

export const event = (newCount: number, changedCount: number, deletedCount: number) => ({
  deltaEventId: 'evt_1',
  newCount,
  changedCount,
  deletedCount,
});
