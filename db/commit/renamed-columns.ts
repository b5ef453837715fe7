// Columns that went by another name: every row that was there before has the same value under the new one. Said only
// where nothing else fits, and where the values tell rows apart; two columns that hold the same word everywhere do not.
import { type Knex, rawRows } from '../driver/knex.ts';
import type { Recording } from './commit-facts.ts';
import { CHANGED_ROWS } from '../rows/delta-rows.ts';

export interface RenamedColumn {
  from: string;
  to: string;
}

/** More pairs of columns are not looked into: that is another table rather than a few new names. */
const MAX_PAIRS = 2_500;
/** Most pairs are seen to be none in so many rows; what is left is compared in all. */
const FIRST_ROWS = 100;

/** Rows that did not change have neither column, so that the changed ones say it all. */
export async function findRenamed(
  trx: Knex.Transaction,
  recording: Recording,
  removed: readonly string[],
  added: readonly string[],
): Promise<RenamedColumn[]> {
  if (removed.length * added.length > MAX_PAIRS) return [];
  const pairs = removed.flatMap((from) => added.map((to) => ({ from, to })));
  const likely = await equalPairs(trx, recording, pairs, `limit ${FIRST_ROWS}`);
  const equal = await equalPairs(trx, recording, likely, '');
  return equal.filter(
    ({ from, to }) => equal.filter((other) => other.from === from || other.to === to).length === 1,
  );
}

/** Of the pairs those whose values are the same in every row, as texts, and not the same in all rows. */
async function equalPairs(
  trx: Knex.Transaction,
  { head, next }: Recording,
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
  // In the order of the columns, which grouping has lost.
  return pairs.filter(({ from, to }) => found.some((pair) => pair.from === from && pair.to === to));
}
