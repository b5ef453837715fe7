// Compares the rows of a body with the latest snapshot and commits the result, in one transaction under a lock on the record's
// head. Small bodies are compared in memory, large ones in temporary tables; the first rows of a record are copied.
import type { SnapshotRef } from '../rows/snapshots.ts';
import { keyedRow, type KeyedRow, type StoredRow } from '../../core/delta/keys/keyed-row.ts';
import type { CheckWarning } from '../../core/checks.ts';
import type { Database, Knex } from '../driver/knex.ts';
import { preparedRows } from '../driver/prepared.ts';
import type { ChangedColumn } from '../../core/delivery-payload.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';
import { carryingOf, carryOverInMemory, carryOverRows } from './carry-over.ts';
import { changedColumns, changedColumnsInMemory } from './changed-columns.ts';
import type {
  CommittedEvent,
  DeltaCommit,
  Difference,
  DropRows,
  HeldChanges,
  LockedHead,
  ReadBody,
  ComparedCheck,
  RowsByKey,
} from './commit-facts.ts';
import {
  findDifferences,
  heldChanges,
  joinUnmatched,
  loadIncomingRows,
  loadUnmatchedKeysBefore,
  MAX_HELD_KEYS,
  storeDifferences,
} from './compare-rows.ts';
import { findEarlierWarnings } from './earlier-warnings.ts';
import { analyzeRows, claimFirstRows, requireSameSnapshot, storeFirstRows } from './first-rows.ts';
import { pairInMemory, pairingOf, pairRows } from './pair-rows.ts';
import { keepStartOver } from './start-over.ts';
import { firstKeys, lockHead, writeCheck } from './write-check.ts';

export type DeltaOutcome =
  /** Nothing was written: an earlier run committed this check, or the record is deleted. */
  | { outcome: 'already-committed' }
  /** Nothing was written: the record's generation changed after the rows were read. */
  | { outcome: 'overtaken' }
  | { outcome: 'sharp-drop'; rows: DropRows; body: ReadBody; changes: HeldChanges }
  | ({ outcome: 'unchanged' | 'changed'; previousSha256: string | null } & CommittedEvent);

/**
 * Compares the rows with the latest snapshot and commits the result. Idempotent on the check's id. Rows are loaded
 * before the head is locked, to keep the lock short.
 * @throws NeedsExactPath the unmatched rows are not enough to decide; nothing is written
 */
export async function commitDelta(db: Database, commit: DeltaCommit): Promise<DeltaOutcome> {
  if (commit.fitsInMemory === true) return commitInMemory(db, commit);
  let firstCount = 0;
  const outcome = await db.transaction(async (trx): Promise<DeltaOutcome> => {
    const first = commit.unmatched === undefined ? await claimFirstRows(trx, commit.check) : undefined;
    if (first === undefined) return commitDifferences(trx, commit);
    const stored = await commitFirstRows(trx, commit, first);
    if (stored.outcome === 'changed') firstCount = stored.totalCount;
    return stored;
  });
  await analyzeRows(db, firstCount);
  return outcome;
}

/** Copies the rows of a first snapshot straight into `row_versions`, and rolls that back if the check may not commit. */
async function commitFirstRows(
  trx: Knex.Transaction,
  commit: DeltaCommit,
  first: SnapshotRef,
): Promise<DeltaOutcome> {
  await trx.raw('savepoint nothing_stored');
  const totalCount = await storeFirstRows(trx, first, commit.batches);
  const body = commit.body();
  const head = await lockHead(trx, commit.check);
  if (head === undefined || isOvertaken(commit, head)) {
    await trx.raw('rollback to savepoint nothing_stored');
    return { outcome: head === undefined ? 'already-committed' : 'overtaken' };
  }
  requireSameSnapshot(head, first);
  const counts = { new: 0, changed: 0, deleted: 0 };
  const compared = { commit, body, head, counts, next: first.sequence, totalCount };
  const event = await writeCheck(trx, compared);
  await keepStartOver(trx, { commit, body, head, generation: head.generation, isNewBody: true });
  return { outcome: 'changed', previousSha256: head.bodySha256, ...event };
}

async function commitDifferences(trx: Knex.Transaction, commit: DeltaCommit): Promise<DeltaOutcome> {
  const { unmatched } = commit;
  const loadedCount = await loadIncomingRows(trx, commit.batches);
  if (unmatched !== undefined) await loadUnmatchedKeysBefore(trx, unmatched.keysBefore);
  const body = commit.body();
  const head = await lockHead(trx, commit.check);
  if (head === undefined) return { outcome: 'already-committed' };
  if (isOvertaken(commit, head)) return { outcome: 'overtaken' };
  if (unmatched !== undefined) await joinUnmatched(trx, head, unmatched);
  const totalCount = loadedCount + (unmatched?.matchedCount() ?? 0);
  const found = await findDifferences(trx, head, unmatched !== undefined);
  if (found.changed > 0) found.changed -= await carryOverRows(trx, carryingOf(commit, body));
  const { counts, warnings } = await pairRows(trx, found, pairingOf(commit, body));
  return recordDifferences(
    trx,
    { commit, body: withWarnings(body, warnings), head, counts, totalCount },
    {
      hold: () => heldChanges(trx, counts, totalCount),
      columns: () => changedColumns(trx),
      store: (sequence) => storeDifferences(trx, head, sequence),
    },
  );
}

/**
 * Like commitDelta, with all rows in memory. They are read before a connection is taken. Creating and dropping temporary
 * tables costs PostgreSQL more than all other statements of such a commit.
 */
async function commitInMemory(db: Database, commit: DeltaCommit): Promise<DeltaOutcome> {
  const gathered = await gatherRows(commit.batches);
  const body = commit.body();
  const totalCount = gathered.size;
  return db.transaction(async (trx): Promise<DeltaOutcome> => {
    const head = await lockHead(trx, commit.check);
    if (head === undefined) return { outcome: 'already-committed' };
    if (isOvertaken(commit, head)) return { outcome: 'overtaken' };
    const found = await findDifferencesInMemory(trx, head, gathered);
    const carried = carryOverInMemory(found, gathered, carryingOf(commit, body));
    const { differences, rows, warnings } = await pairInMemory(trx, carried, pairingOf(commit, body));
    const counts = countDifferences(differences);
    return recordDifferences(
      trx,
      { commit, body: withWarnings(body, warnings), head, counts, totalCount, differences },
      {
        hold: () => Promise.resolve(heldChangesOf(differences, counts, totalCount)),
        columns: () => Promise.resolve(changedColumnsInMemory(differences, rows)),
        store: (sequence) => storeDifferencesInMemory(trx, head, sequence, differences, rows),
      },
    );
  });
}

const withWarnings = (body: ReadBody, more: readonly CheckWarning[]): ReadBody =>
  more.length === 0 ? body : { ...body, warnings: [...body.warnings, ...more] };

interface Comparison {
  hold: () => Promise<HeldChanges>;
  /** Called before `store`. */
  columns: () => Promise<ChangedColumn[]>;
  store: (sequence: number) => Promise<void>;
}

/** Writes what a comparison found, unless the rows dropped sharply. */
async function recordDifferences(
  trx: Knex.Transaction,
  compared: Omit<ComparedCheck, 'next' | 'changedColumns'>,
  { hold, columns, store }: Comparison,
): Promise<DeltaOutcome> {
  const { commit, body, head, counts, totalCount } = compared;
  const { totalRows: before, rejectedRows: rejected, acceptedRun, clockAheadMs } = head;
  const { heldRows: held, heldSinceMs, heldRun } = confirmsHeld(commit, head) ? head : NONE_HELD;
  const isUnchanged = counts.new + counts.changed + counts.deleted === 0;
  const rows: DropRows = {
    before,
    now: totalCount,
    held,
    rejected,
    heldSinceMs,
    isHeldOpenEnded: held !== null && heldRun !== null,
    openEndedRun: held === null ? runOfUrl(commit, acceptedRun) : heldRun,
    clockAheadMs,
    isUnchanged,
    hasDeletedRows: counts.deleted > 0,
  };
  const findEarlier = () => findEarlierWarnings(trx, commit.check.recordId, head);
  if (await commit.isSharpDrop(rows, body, findEarlier))
    return { outcome: 'sharp-drop', rows, body, changes: await hold() };
  const next = isUnchanged ? head.sequence : head.sequence + 1;
  const changedIn = counts.changed === 0 ? undefined : await columns();
  if (!isUnchanged) await store(next);
  const event = await writeCheck(trx, { ...compared, next, changedColumns: changedIn });
  return { outcome: isUnchanged ? 'unchanged' : 'changed', previousSha256: head.bodySha256, ...event };
}

const NONE_HELD = { heldRows: null, heldSinceMs: null, heldRun: null };

const isOvertaken = ({ rule }: DeltaCommit, head: LockedHead): boolean => rule.generation !== head.generation;

/** A body can only confirm a held one that came from the same URL and was read under the same settings. */
const confirmsHeld = ({ rule, validators }: DeltaCommit, head: LockedHead): boolean =>
  head.heldUrlHash === validators.urlHash && rule.dialectVersion === head.heldDialectVersion;

/** Bodies from another URL say nothing about how often this one breaks off. */
const runOfUrl = ({ validators }: DeltaCommit, run: LockedHead['acceptedRun']): LockedHead['acceptedRun'] =>
  run?.urlHash === validators.urlHash ? run : null;

/** Of rows with the same key the last one is kept: keys that PostgreSQL stores as the same text are the same. */
async function gatherRows(batches: AsyncIterable<readonly StoredRow[]>): Promise<RowsByKey> {
  const rows = new Map<string, KeyedRow>();
  for await (const batch of batches) for (const row of batch) rows.set(row.key.toWellFormed(), keyedRow(row));
  return rows;
}

/** The differences, ascending by the bytes of their keys. */
function findDifferencesInMemory(
  trx: Knex.Transaction,
  { recordNo, generation }: LockedHead,
  rows: RowsByKey,
): Promise<Difference[]> {
  return preparedRows<Difference>(
    trx,
    `select row_key as key, stored_ctid::text as ctid,
       case when stored.row_hash is null then 'new' when incoming.row_hash is null then 'deleted' else 'changed'
       end as "changeType",
       case when incoming.row_hash is not null then stored.data::text end as before
     from (
       select row_key, row_hash, data, ctid as stored_ctid from row_versions
       where record_no = $1 and generation = $2 and last_seq is null
     ) stored
     full join unnest($3::text[], $4::bytea[]) as incoming (row_key, row_hash) using (row_key)
     where stored.row_hash is distinct from incoming.row_hash
     order by row_key`,
    [recordNo, generation, [...rows.keys()], [...rows.values()].map(({ hash }) => hash)],
  );
}

function countDifferences(differences: readonly Difference[]): DeltaCounts {
  const counts: DeltaCounts = { new: 0, changed: 0, deleted: 0 };
  for (const { changeType } of differences) counts[changeType] += 1;
  return counts;
}

/** The changes that a held body would make. */
const heldChangesOf = (
  differences: readonly Difference[],
  counts: DeltaCounts,
  totalCount: number,
): HeldChanges => ({
  newCount: counts.new,
  changedCount: counts.changed,
  deletedCount: counts.deleted,
  totalCount,
  newKeys: firstKeys(differences, 'new', MAX_HELD_KEYS),
  changedKeys: firstKeys(differences, 'changed', MAX_HELD_KEYS),
  deletedKeys: firstKeys(differences, 'deleted', MAX_HELD_KEYS),
});

/**
 * Ends the versions of changed and deleted rows at the previous snapshot, and inserts versions for new and changed rows.
 * The ctids cannot change while the head is locked.
 */
async function storeDifferencesInMemory(
  trx: Knex.Transaction,
  { recordNo, generation }: LockedHead,
  sequence: number,
  differences: readonly Difference[],
  rows: RowsByKey,
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
      differences.flatMap(({ ctid }) => ctid ?? []),
      opened.map(({ key }) => key),
      opened.map(({ hash }) => hash),
      opened.map(({ data }) => data),
      opened.map(({ previousKey }) => previousKey),
    ],
  );
}
