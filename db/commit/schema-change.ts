// How the columns of a record changed with an event: added, removed, renamed.
import { CHANGED_ROWS } from '../rows/delta-rows.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import type { ComparedCheck } from './commit-facts.ts';

export interface SchemaChange {
  /** A renamed column is in neither list. */
  added: string[];
  removed: string[];
  renamed: RenamedColumn[];
  /** Rows whose only changes are in these columns. */
  schemaOnlyCount: number;
}

/** Null when the columns are the same as before. */
export async function findSchemaChange(
  trx: Knex.Transaction,
  compared: ComparedCheck,
): Promise<SchemaChange | null> {
  const { head, body } = compared;
  const added = body.columns.filter((column) => !head.columns.includes(column));
  const removed = head.columns.filter((column) => !body.columns.includes(column));
  if (added.length + removed.length === 0) return null;
  const renamed = await findRenamed(trx, compared, removed, added);
  return {
    added: added.filter((column) => renamed.every(({ to }) => to !== column)),
    removed: removed.filter((column) => renamed.every(({ from }) => from !== column)),
    renamed,
    schemaOnlyCount: await countSchemaOnly(trx, compared, [...added, ...removed]),
  };
}

/** json_each keeps the text of a value, so 1.10 and 1.1 differ here as in every other comparison. */
async function countSchemaOnly(
  trx: Knex.Transaction,
  { head, next }: ComparedCheck,
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

interface RenamedColumn {
  from: string;
  to: string;
}

/** With more pairs of columns it is a different table, and renames are not searched for. */
const MAX_PAIRS = 2_500;
/** These rows rule out most pairs; the rest are compared over all rows. */
const FIRST_ROWS = 100;

/**
 * Columns that have a new name: every row that existed before has the same value under the new name as under the old one. These
 * are the changed rows: unchanged rows have neither column, and rows whose key is gone have no value now. A pair counts only
 * when no other pair shares a column with it, and when its values are not the same in all rows: two columns that hold one
 * constant say nothing.
 */
async function findRenamed(
  trx: Knex.Transaction,
  compared: ComparedCheck,
  removed: readonly string[],
  added: readonly string[],
): Promise<RenamedColumn[]> {
  if (removed.length * added.length > MAX_PAIRS || hasRowsUnknownNow(compared)) return [];
  const pairs = removed.flatMap((from) => added.map((to) => ({ from, to })));
  const likely = await equalPairs(trx, compared, pairs, `limit ${FIRST_ROWS}`);
  const equal = await equalPairs(trx, compared, likely, '');
  return equal.filter(
    ({ from, to }) => equal.filter((other) => other.from === from || other.to === to).length === 1,
  );
}

/** A deleted row without a key may be an edited one that was not paired, so nobody knows its values under another name. */
const hasRowsUnknownNow = ({ body, counts }: ComparedCheck): boolean =>
  body.key.fields.length === 0 && counts.deleted > 0;

/** The pairs whose values, as text, are equal in each row, and are not one constant over all rows. */
async function equalPairs(
  trx: Knex.Transaction,
  { head, next }: ComparedCheck,
  pairs: readonly RenamedColumn[],
  limit: string,
): Promise<RenamedColumn[]> {
  if (pairs.length === 0) return [];
  const found = await rawRows<RenamedColumn>(
    trx,
    `select "from", "to" from (${CHANGED_ROWS} ${limit}) rows
     cross join unnest(:from::text[], :to::text[]) as pair ("from", "to")
     group by "from", "to"
     having bool_and((before -> "from")::text is not distinct from (after -> "to")::text)
       and ${limit === '' ? `min((before -> "from")::text) <> max((before -> "from")::text)` : 'true'}`,
    {
      recordNo: head.recordNo,
      generation: head.generation,
      next,
      from: pairs.map(({ from }) => from),
      to: pairs.map(({ to }) => to),
    },
  );
  // Grouping lost the order of the columns.
  return pairs.filter(({ from, to }) => found.some((pair) => pair.from === from && pair.to === to));
}
