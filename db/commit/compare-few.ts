// Compares the rows of a small body with the latest snapshot without temporary tables: creating and dropping them costs
// PostgreSQL more than all other statements of such a commit.
import { preparedRows } from '../driver/prepared.ts';
import type { Knex } from '../driver/knex.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';
import type { Difference, HeldChanges, IncomingRow, LockedHead } from './commit-facts.ts';
import { MAX_HELD_KEYS } from './compare-rows.ts';

export type FewRows = ReadonlyMap<string, IncomingRow>;

/** Of rows with the same key the last one is kept: keys that PostgreSQL stores as the same text are the same. */
export async function gatherRows(batches: AsyncIterable<readonly IncomingRow[]>): Promise<FewRows> {
  const rows = new Map<string, IncomingRow>();
  for await (const batch of batches) for (const row of batch) rows.set(row.key.toWellFormed(), row);
  return rows;
}

/** The differences, ascending by the bytes of their keys. */
export function findFew(
  trx: Knex.Transaction,
  { recordNo, generation }: LockedHead,
  rows: FewRows,
): Promise<Difference[]> {
  return preparedRows<Difference>(
    trx,
    `select row_key as key, stored.line::text as line,
       case when stored.row_hash is null then 'new' when incoming.row_hash is null then 'deleted' else 'changed'
       end as "changeType",
       case when incoming.row_hash is not null then stored.data::text end as before
     from (
       select row_key, row_hash, data, ctid as line from row_versions
       where record_no = $1 and generation = $2 and last_seq is null
     ) stored
     full join unnest($3::text[], $4::bytea[]) as incoming (row_key, row_hash) using (row_key)
     where stored.row_hash is distinct from incoming.row_hash
     order by row_key`,
    [recordNo, generation, [...rows.keys()], [...rows.values()].map(({ hash }) => hash)],
  );
}

export function countFew(differences: readonly Difference[]): DeltaCounts {
  const counts: DeltaCounts = { new: 0, changed: 0, deleted: 0 };
  for (const { changeType } of differences) counts[changeType] += 1;
  return counts;
}

/** The first keys of a kind of change. */
export const keysOfFew = (
  differences: readonly Difference[],
  changeType: keyof DeltaCounts,
  limit: number,
): string[] =>
  differences
    .filter((difference) => difference.changeType === changeType)
    .slice(0, limit)
    .map(({ key }) => key);

/** The changes that a held body would make. */
export const heldFew = (
  differences: readonly Difference[],
  counts: DeltaCounts,
  totalCount: number,
): HeldChanges => ({
  newCount: counts.new,
  changedCount: counts.changed,
  deletedCount: counts.deleted,
  totalCount,
  newKeys: keysOfFew(differences, 'new', MAX_HELD_KEYS),
  changedKeys: keysOfFew(differences, 'changed', MAX_HELD_KEYS),
  deletedKeys: keysOfFew(differences, 'deleted', MAX_HELD_KEYS),
});

/**
 * Ends the versions of changed and deleted rows at the previous snapshot, and inserts versions for new and changed rows.
 * The lines cannot move while the head is locked.
 */
export async function storeFew(
  trx: Knex.Transaction,
  { recordNo, generation }: LockedHead,
  sequence: number,
  differences: readonly Difference[],
  rows: FewRows,
): Promise<void> {
  const opened = differences.flatMap(({ key, previousKey = null }) => {
    const row = rows.get(key);
    return row === undefined ? [] : [{ ...row, previousKey }];
  });
  await preparedRows(
    trx,
    `with ended as (
       update row_versions set last_seq = $3::integer - 1 where ctid = any($4::tid[])
     )
     insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data, previous_key)
     select $1, $2, row_key, $3, row_hash, data, previous_key
     from unnest($5::text[], $6::bytea[], $7::json[], $8::text[]) as opened (row_key, row_hash, data, previous_key)`,
    [
      recordNo,
      generation,
      sequence,
      differences.flatMap(({ line }) => line ?? []),
      opened.map(({ key }) => key),
      opened.map(({ hash }) => hash),
      opened.map(({ data }) => data),
      opened.map(({ previousKey }) => previousKey),
    ],
  );
}
