// Loads the rows of a body into temporary tables and compares them with the latest snapshot. All of it happens in the
// transaction of db/commit/commit-delta.ts, and the tables are dropped when that transaction ends.
import type { StoredRow } from '../../core/delta/keys/keyed-row.ts';
import { copyRows } from '../driver/copy-rows.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import { NeedsExactPath } from '../../core/delta/raw/row-bytes.ts';
import type { HeldChanges, LockedHead, UnmatchedRows } from './commit-facts.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';

/** PostgreSQL's own estimate is good enough for smaller tables. */
const ROWS_TO_ANALYZE = 2_000;

/**
 * Copies rows into the temporary table `incoming`. Of rows with the same key the last one is kept.
 * @returns how many rows the table has
 */
export async function loadIncomingRows(
  trx: Knex.Transaction,
  batches: AsyncIterable<readonly StoredRow[]>,
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
  // The default work_mem would make PostgreSQL sort and join on disk.
  if (count >= ROWS_TO_ANALYZE) await trx.raw(`set local work_mem = '64MB'; analyze incoming`);
  return count;
}

/** Copies keys into the temporary table `unmatched_before`. */
export async function loadUnmatchedKeysBefore(
  trx: Knex.Transaction,
  batches: AsyncIterable<readonly string[]>,
): Promise<void> {
  await trx.raw(`create temporary table unmatched_before (row_key text collate "C" not null) on commit drop`);
  const count = await copyRows(trx, 'unmatched_before (row_key)', batches, (key) => [key]);
  if (count >= ROWS_TO_ANALYZE) await trx.raw('analyze unmatched_before');
}

/** The parser has already counted and reported the repeated keys. @returns how many rows were dropped */
async function dropRepeated(trx: Knex.Transaction): Promise<number> {
  const { rowCount }: { rowCount: number } = await trx.raw(
    `delete from incoming using (
       select row_key, max(ordinal) as last_ordinal from incoming group by row_key having count(*) > 1
     ) duplicate
     where incoming.row_key = duplicate.row_key and incoming.ordinal < duplicate.last_ordinal`,
  );
  return rowCount;
}

/**
 * Fills the temporary table `unmatched` from `incoming` and `unmatched_before`. The comparison by bytes is not trusted: this
 * function checks it against the latest snapshot first. For each key it reads the last version only, so that a long
 * history does not make it slow.
 * @throws NeedsExactPath the previous body is not that of the latest snapshot, or a key is ambiguous
 */
export async function joinUnmatched(
  trx: Knex.Transaction,
  head: LockedHead,
  { before, isKeyless }: UnmatchedRows,
): Promise<void> {
  const { recordNo, generation, sequence, bodySha256, totalRows } = head;
  const isOfBody =
    bodySha256 === before.sha256 && generation === before.generation && totalRows === before.rowCount;
  if (!isOfBody || sequence !== (before.sequence ?? sequence)) {
    throw new NeedsExactPath('The latest snapshot was not made from the previous body');
  }
  await trx.raw(
    `create temporary table unmatched on commit drop as
     select row_key, keys.row_hash, keys.was_there, stored.row_hash as stored_hash, stored_ctid
     from (
       select row_key, incoming.row_hash, unmatched_before.row_key is not null as was_there
       from incoming full join unmatched_before using (row_key) order by row_key
     ) keys
     left join lateral (
       select row_hash, last_seq, ctid as stored_ctid from row_versions
       where record_no = ? and generation = ? and row_versions.row_key = keys.row_key
       order by first_seq desc limit 1
     ) stored on stored.last_seq is null`,
    [recordNo, generation],
  );
  await refuseAmbiguousKeys(trx, head, isKeyless);
}

/** Fills the temporary table `differing` from `unmatched`. */
async function compareUnmatched(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    `create temporary table differing on commit drop as
     select row_key, stored_ctid, null::text collate "C" as previous_key,
       case when stored_hash is null then 'new' when row_hash is null then 'deleted' else 'changed' end as change_type
     from unmatched where stored_hash is distinct from row_hash`,
  );
}

/**
 * A stored key that is not in `unmatched_before` belongs to a row that was matched by its bytes, so two rows have the key now.
 * A key in `unmatched_before` must be stored. Rows without a key are numbered when they repeat, and that number depends on
 * how many of them were matched, so repeats are refused.
 */
async function refuseAmbiguousKeys(
  trx: Knex.Transaction,
  { recordNo, generation }: LockedHead,
  isKeyless: boolean,
): Promise<void> {
  const [ambiguous] = await rawRows(
    trx,
    'select from unmatched where was_there <> (stored_hash is not null) limit 1',
  );
  if (ambiguous !== undefined) throw new NeedsExactPath('Two rows have one key');
  if (!isKeyless) return;
  const [repeat] = await rawRows(
    trx,
    `select from unmatched where row_hash is null and exists (
       select from row_versions where record_no = ? and generation = ? and last_seq is null
         and row_versions.row_key = unmatched.row_key || '#2' offset 0)
     limit 1`,
    [recordNo, generation],
  );
  if (repeat !== undefined) throw new NeedsExactPath('A row without a key was repeated');
}

/** For each change type. A key has up to 1,024 bytes. */
export const MAX_HELD_KEYS = 20;

const keysOf = (changeType: keyof DeltaCounts): string =>
  `array(select row_key from differing where change_type = '${changeType}' order by row_key limit ${MAX_HELD_KEYS})`;

/** The changes that a held body would make. Needs the table `differing`. */
export async function heldChanges(
  trx: Knex.Transaction,
  counts: DeltaCounts,
  totalCount: number,
): Promise<HeldChanges> {
  const [keys] = await rawRows<Pick<HeldChanges, 'newKeys' | 'changedKeys' | 'deletedKeys'>>(
    trx,
    `select ${keysOf('new')} as "newKeys", ${keysOf('changed')} as "changedKeys", ${keysOf('deleted')} as "deletedKeys"`,
  );
  if (keys === undefined) throw new Error('A select without a table returned no row');
  return {
    newCount: counts.new,
    changedCount: counts.changed,
    deletedCount: counts.deleted,
    totalCount,
    ...keys,
  };
}

/** Fills the temporary table `differing` with the keys of new, changed and deleted rows, and counts them. */
export async function findDifferences(
  trx: Knex.Transaction,
  head: LockedHead,
  hasUnmatched: boolean,
): Promise<DeltaCounts> {
  if (hasUnmatched) await compareUnmatched(trx);
  else await compareAll(trx, head);
  const rows = await rawRows<{ changeType: keyof DeltaCounts; count: number }>(
    trx,
    `select change_type as "changeType", count(*) as count from differing group by change_type`,
  );
  const counts: DeltaCounts = { new: 0, changed: 0, deleted: 0 };
  for (const { changeType, count } of rows) counts[changeType] = count;
  return counts;
}

async function compareAll(trx: Knex.Transaction, head: LockedHead): Promise<void> {
  await trx.raw(
    `create temporary table differing on commit drop as
     select row_key, stored_ctid, null::text collate "C" as previous_key,
       case when stored.row_hash is null then 'new' when incoming.row_hash is null then 'deleted' else 'changed'
       end as change_type
     from (
       select row_key, row_hash, ctid as stored_ctid from row_versions
       where record_no = ? and generation = ? and last_seq is null
     ) stored
     full join incoming using (row_key)
     where stored.row_hash is distinct from incoming.row_hash`,
    [head.recordNo, head.generation],
  );
}

/**
 * Ends the versions of changed and deleted rows at the previous snapshot, and inserts versions for new and changed rows.
 * Finds rows to end by ctid, which cannot change while the head is locked. When it looks up a few keys among a million,
 * PostgreSQL may choose to read the whole table.
 */
export async function storeDifferences(
  trx: Knex.Transaction,
  head: LockedHead,
  sequence: number,
): Promise<void> {
  await trx.raw(
    `update row_versions set last_seq = ?::integer - 1
     where ctid = any(array(select stored_ctid from differing where stored_ctid is not null))`,
    [sequence],
  );
  await trx.raw(
    `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data, previous_key)
     select ?, ?, row_key, ?, row_hash, data, previous_key from incoming join differing using (row_key) order by row_key`,
    [head.recordNo, head.generation, sequence],
  );
}
