// How the columns of a record changed with an event.
import { CHANGED_ROWS } from '../rows/delta-rows.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import type { Recording } from './commit-facts.ts';
import { findRenamed, type RenamedColumn } from './renamed-columns.ts';

export interface SchemaChange {
  /** Columns that came and went; a renamed one is in neither list. */
  added: string[];
  removed: string[];
  renamed: RenamedColumn[];
  /** Rows that count as changed only because of these columns. */
  schemaOnlyCount: number;
}

/** Null when no column came or went. */
export async function schemaChange(
  trx: Knex.Transaction,
  recording: Recording,
): Promise<SchemaChange | null> {
  const { head, body } = recording;
  const added = body.columns.filter((column) => !head.columns.includes(column));
  const removed = head.columns.filter((column) => !body.columns.includes(column));
  if (added.length + removed.length === 0) return null;
  const renamed = await findRenamed(trx, recording, removed, added);
  return {
    added: added.filter((column) => renamed.every(({ to }) => to !== column)),
    removed: removed.filter((column) => renamed.every(({ from }) => from !== column)),
    renamed,
    schemaOnlyCount: await countSchemaOnly(trx, recording, [...added, ...removed]),
  };
}

/** json_each keeps the values' texts, so 1.10 and 1.1 differ here as they do everywhere. */
async function countSchemaOnly(
  trx: Knex.Transaction,
  { head, next }: Recording,
  columns: string[],
): Promise<number> {
  const [row] = await rawRows<{ count: number }>(
    trx,
    `select count(*) as count from (${CHANGED_ROWS}) rows where not exists (
       select from json_each(rows.before) before full join json_each(rows.after) after using (key)
       where before.value::text is distinct from after.value::text and key <> all(:columns::text[]))`,
    { recordNo: head.recordNo, generation: head.generation, next, columns },
  );
  return row?.count ?? 0;
}
