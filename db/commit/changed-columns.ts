// How many of an event's changed rows differ in each column.
import { compareKeys } from '../../core/delta/compare-keys.ts';
import { changedFields } from '../../core/delta/keys/keyed-row.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import type { ChangedColumn } from '../../core/delivery-payload.ts';
import type { Difference, RowsByKey } from './commit-facts.ts';

/** Most rows first; columns with the same number of rows by the bytes of their names. */
export function changedColumnsInMemory(differences: readonly Difference[], rows: RowsByKey): ChangedColumn[] {
  const counter = createColumnCounter();
  for (const { key, before } of differences) {
    const after = rows.get(key)?.data;
    if (before !== null && after !== undefined) counter.add(before, after);
  }
  return counter.columns();
}

/** Rows have up to some hundred kilobytes. */
const ROWS_IN_MEMORY = 200;

/**
 * Reads the rows of the tables `differing` and `incoming`, before they are stored. PostgreSQL's own functions for JSON would
 * take twice the time.
 */
export async function changedColumns(trx: Knex.Transaction): Promise<ChangedColumn[]> {
  const counter = createColumnCounter();
  await trx.raw(
    `declare changed_rows no scroll cursor for
     select stored.data::text as before, incoming.data::text as after
     from differing join row_versions stored on stored.ctid = differing.stored_ctid
       join incoming on incoming.row_key = differing.row_key
     where differing.change_type = 'changed'`,
  );
  for (;;) {
    const rows = await rawRows<{ before: string; after: string }>(
      trx,
      `fetch ${ROWS_IN_MEMORY} from changed_rows`,
    );
    for (const { before, after } of rows) counter.add(before, after);
    if (rows.length < ROWS_IN_MEMORY) break;
  }
  await trx.raw('close changed_rows');
  return counter.columns();
}

function createColumnCounter() {
  const counts = new Map<string, number>();
  return {
    add: (before: string, after: string): void => {
      for (const field of changedFields(before, after)) counts.set(field, (counts.get(field) ?? 0) + 1);
    },
    columns: (): ChangedColumn[] =>
      [...counts]
        .map(([field, rows]) => ({ field, rows }))
        .sort((left, right) => right.rows - left.rows || compareKeys(left.field, right.field)),
  };
}
