// Compares rows that were left over when rows with the same bytes had been paired off, by key, with the latest snapshot.
// That the pairing told the truth about it is not taken on trust.
import { NeedsExactPath } from '../../core/delta/raw/needs-exact-path.ts';
import type { Leftover, LockedHead } from './commit-facts.ts';
import { type Knex, rawRows } from '../driver/knex.ts';

/**
 * Fills the temporary table `leftover` from `incoming` and `left_before`. Nothing counts before: not even how many rows
 * there are. Of each key the last version alone is looked up, however many there are of it and of other keys.
 * @throws NeedsExactPath the body before is not that of the latest snapshot, or a key is in doubt
 */
export async function joinLeftover(
  trx: Knex.Transaction,
  head: LockedHead,
  { before, isKeyless }: Leftover,
): Promise<void> {
  const { recordNo, generation, bodySha256, totalRows } = head;
  if (bodySha256 !== before.sha256 || generation !== before.generation || totalRows !== before.rowCount) {
    throw new NeedsExactPath('The latest snapshot is not that of the body before');
  }
  await trx.raw(
    `create temporary table leftover on commit drop as
     select row_key, keys.row_hash, keys.was_there, stored.row_hash as stored_hash, stored.line
     from (
       select row_key, incoming.row_hash, left_before.row_key is not null as was_there
       from incoming full join left_before using (row_key) order by row_key
     ) keys
     left join lateral (
       select row_hash, last_seq, ctid as line from row_versions
       where record_no = ? and generation = ? and row_versions.row_key = keys.row_key
       order by first_seq desc limit 1
     ) stored on stored.last_seq is null`,
    [recordNo, generation],
  );
  await refuseDoubt(trx, head, isKeyless);
}

/** Fills the temporary table `differing` from `leftover`. */
export async function compareLeftover(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    `create temporary table differing on commit drop as
     select row_key, line,
       case when stored_hash is null then 'new' when row_hash is null then 'deleted' else 'changed' end as change_type
     from leftover where stored_hash is distinct from row_hash`,
  );
}

/**
 * A key that is stored but was not left over belongs to a row that was paired off: then two rows have it now. A key that
 * was left over must be stored. The number of a repeat of a row without a key depends on how many were paired off.
 */
async function refuseDoubt(
  trx: Knex.Transaction,
  { recordNo, generation }: LockedHead,
  isKeyless: boolean,
): Promise<void> {
  const [doubt] = await rawRows(
    trx,
    'select from leftover where was_there <> (stored_hash is not null) limit 1',
  );
  if (doubt !== undefined) throw new NeedsExactPath('Two rows have one key');
  if (!isKeyless) return;
  const [repeat] = await rawRows(
    trx,
    `select from leftover where row_hash is null and exists (
       select from row_versions where record_no = ? and generation = ? and last_seq is null
         and row_versions.row_key = leftover.row_key || '#2' offset 0)
     limit 1`,
    [recordNo, generation],
  );
  if (repeat !== undefined) throw new NeedsExactPath('A row without a key was repeated');
}
