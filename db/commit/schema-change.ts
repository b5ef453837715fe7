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
/** These rows rule out most pairs. */
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
  const { digests, varying } = await digestColumns(trx, compared, likely);
  const alike = likely.filter(({ from, to }) => varying.has(from) && digests.get(from) === digests.get(to));
  const unique = alike.filter(
    ({ from, to }) => alike.filter((other) => other.from === from || other.to === to).length === 1,
  );
  return equalPairs(trx, compared, unique, '');
}

/** A deleted row without a key may be an edited one that was not paired, so nobody knows its values under another name. */
const hasRowsUnknownNow = ({ body, counts }: ComparedCheck): boolean =>
  body.key.fields.length === 0 && counts.deleted > 0;

/** The values of the columns before and of those after, as two arrays of texts for each row. A row is parsed once. */
const CELLS = (limit: string): string => `
  select row_number() over () as place,
    (select array_agg(cell.value::text order by n) from unnest(:from::text[]) with ordinality as name ("column", n)
       left join json_each(before) cell on cell.key = name."column") as olds,
    (select array_agg(cell.value::text order by n) from unnest(:to::text[]) with ordinality as name ("column", n)
       left join json_each(after) cell on cell.key = name."column") as news
  from (${CHANGED_ROWS} ${limit}) rows`;

const bindingsOf = ({ head, next }: ComparedCheck, from: readonly string[], to: readonly string[]) => ({
  recordNo: head.recordNo,
  generation: head.generation,
  next,
  from: [...from],
  to: [...to],
});

/** The pairs whose values, as text, are equal in each row. */
async function equalPairs(
  trx: Knex.Transaction,
  compared: ComparedCheck,
  pairs: readonly RenamedColumn[],
  limit: string,
): Promise<RenamedColumn[]> {
  if (pairs.length === 0) return [];
  const from = [...new Set(pairs.map((pair) => pair.from))];
  const to = [...new Set(pairs.map((pair) => pair.to))];
  const found = await rawRows<{ i: number; j: number }>(
    trx,
    `select i, j from (${CELLS(limit)}) cells cross join unnest(:is::int[], :js::int[]) as pair (i, j)
     group by i, j having bool_and(olds[i] is not distinct from news[j])`,
    {
      ...bindingsOf(compared, from, to),
      is: pairs.map((pair) => from.indexOf(pair.from) + 1),
      js: pairs.map((pair) => to.indexOf(pair.to) + 1),
    },
  );
  const equal = new Set(found.map(({ i, j }) => JSON.stringify([from[i - 1], to[j - 1]])));
  // Grouping lost the order of the columns.
  return pairs.filter((pair) => equal.has(JSON.stringify([pair.from, pair.to])));
}

/**
 * A digest of each column of the pairs over all rows, so that the work grows with the number of columns and not of pairs. Equal
 * columns have equal digests.
 * @returns also the old columns whose values are not one constant
 */
async function digestColumns(
  trx: Knex.Transaction,
  compared: ComparedCheck,
  pairs: readonly RenamedColumn[],
): Promise<{ digests: Map<string, string>; varying: Set<string> }> {
  const from = [...new Set(pairs.map((pair) => pair.from))];
  const to = [...new Set(pairs.map((pair) => pair.to))];
  if (pairs.length === 0) return { digests: new Map(), varying: new Set() };
  const found = await rawRows<{ n: number; digest: string; varies: boolean | null }>(
    trx,
    `select n, sum(hashtextextended(place || ' ' || coalesce(value, ''), 0))::text as digest, min(value) <> max(value) as varies
     from (${CELLS('')}) cells cross join unnest(olds || news) with ordinality as cell (value, n)
     group by n`,
    bindingsOf(compared, from, to),
  );
  const columns = [...from, ...to];
  const named = found.map(({ n, ...column }) => ({ ...column, name: columns[n - 1] ?? '' }));
  return {
    digests: new Map(named.map(({ name, digest }) => [name, digest])),
    varying: new Set(named.filter(({ varies }) => varies === true).map(({ name }) => name)),
  };
}
