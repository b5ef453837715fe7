// How the columns of a record changed with an event.
import { type Knex, rawRows } from './knex.ts';
import type { Recording } from './record-delta.ts';

export interface SchemaChange {
  added: string[];
  removed: string[];
  /** Rows that count as changed only because of these columns. */
  schemaOnlyCount: number;
}

/** Null when no column came or went. To be asked once the new row versions are stored. */
export async function schemaChange(
  trx: Knex.Transaction,
  recording: Recording,
): Promise<SchemaChange | null> {
  const { head, body } = recording;
  const added = body.columns.filter((column) => !head.columns.includes(column));
  const removed = head.columns.filter((column) => !body.columns.includes(column));
  if (added.length + removed.length === 0) return null;
  return { added, removed, schemaOnlyCount: await countSchemaOnly(trx, recording, [...added, ...removed]) };
}

/** json_each keeps the values' texts, so 1.10 and 1.1 differ here as they do everywhere. */
async function countSchemaOnly(
  trx: Knex.Transaction,
  { head, next }: Recording,
  columns: string[],
): Promise<number> {
  const [row] = await rawRows<{ count: number }>(
    trx,
    `select count(*) as count from differing
     join row_versions old on old.record_no = :recordNo and old.generation = :generation
       and old.row_key = differing.row_key and old.last_seq = :next::integer - 1
     join incoming on incoming.row_key = differing.row_key
     where change_type = 'changed' and not exists (
       select from json_each(old.data) before full join json_each(incoming.data) after using (key)
       where before.value::text is distinct from after.value::text and key <> all(:columns::text[]))`,
    { recordNo: head.recordNo, generation: head.generation, next, columns },
  );
  return row?.count ?? 0;
}
