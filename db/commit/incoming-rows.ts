// The rows of a body on their way into the database: a temporary table of the transaction, filled by COPY.
import { copyRows } from '../driver/copy-rows.ts';
import type { Knex } from '../driver/knex.ts';

export interface IncomingRow {
  key: string;
  /** 16 bytes over the row's canonical form. */
  hash: Buffer;
  /** The row as JSON object text, in the origin's column order. */
  data: string;
  /** Whether its key may have come before. Never false for one that has. */
  isRepeat: boolean;
}

/** Below that, PostgreSQL guesses well enough how large the table is. */
const ROWS_TO_ANALYZE = 2_000;

/**
 * Copies rows into the temporary table `incoming`, which lives until the transaction ends.
 * @returns how many rows are in it: the last of those with the same key
 */
export async function loadIncomingRows(
  trx: Knex.Transaction,
  batches: AsyncIterable<readonly IncomingRow[]>,
): Promise<number> {
  await trx.raw(
    `create temporary table incoming (
       ordinal bigint generated always as identity, row_key text collate "C" not null, row_hash bytea not null,
       data json not null
     ) on commit drop`,
  );
  let hasRepeats = false;
  const copied = await copyRows(trx, 'incoming (row_key, row_hash, data)', batches, (row) => {
    hasRepeats ||= row.isRepeat;
    return [row.key, row.hash, row.data];
  });
  const count = hasRepeats ? copied - (await dropRepeated(trx)) : copied;
  // Without room, many rows are sorted and joined by way of the disk.
  if (count >= ROWS_TO_ANALYZE) await trx.raw(`set local work_mem = '64MB'; analyze incoming`);
  return count;
}

/** Copies keys into the temporary table `left_before`, which lives until the transaction ends. */
export async function loadKeysLeftBefore(
  trx: Knex.Transaction,
  batches: AsyncIterable<readonly string[]>,
): Promise<void> {
  await trx.raw(`create temporary table left_before (row_key text collate "C" not null) on commit drop`);
  const count = await copyRows(trx, 'left_before (row_key)', batches, (key) => [key]);
  if (count >= ROWS_TO_ANALYZE) await trx.raw('analyze left_before');
}

/**
 * The last row with a key wins; the parser has already counted and reported them.
 * @returns how many were dropped
 */
async function dropRepeated(trx: Knex.Transaction): Promise<number> {
  const { rowCount }: { rowCount: number } = await trx.raw(
    `delete from incoming using (
       select row_key, max(ordinal) as last_ordinal from incoming group by row_key having count(*) > 1
     ) duplicate
     where incoming.row_key = duplicate.row_key and incoming.ordinal < duplicate.last_ordinal`,
  );
  return rowCount;
}
