// Commits a check whose body was read: check, snapshot, delta event, row versions and pending deliveries,
// all or nothing, with the numbers taken under the lock of the record's head.
import type {
  CommittedEvent,
  DeltaCommit,
  DropRows,
  HeldChanges,
  LockedHead,
  ReadBody,
} from './commit-facts.ts';
import { recordDelta } from './record-delta.ts';
import {
  claimFirstRows,
  requireSamePlace,
  type RowsPlace,
  storeFirstRows,
  tellPlanner,
} from './first-rows.ts';
import { loadIncomingRows, loadKeysLeftBefore } from './incoming-rows.ts';
import { heldChanges } from './held-changes.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { compareLeftover, joinLeftover } from './leftover-rows.ts';
import { keepStartOver } from './start-over.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';

export type DeltaOutcome =
  /** Nothing was done: an earlier run has committed this check, or its record is deleted. */
  | { outcome: 'already-committed' }
  /** Nothing was done: the rule changed since the rows were read. */
  | { outcome: 'overtaken' }
  | { outcome: 'sharp-drop'; rows: DropRows; body: ReadBody; changes: HeldChanges }
  | ({ outcome: 'unchanged' | 'changed'; previousSha256: string | null } & CommittedEvent);

/**
 * Compares the rows with the latest snapshot and commits what they come to. Idempotent on the check's id.
 * Rows are loaded before the lock is taken, so readers of the head wait for the commit only.
 * @throws NeedsExactPath, with nothing done: the leftover rows alone do not tell
 */
export async function commitDelta(db: Database, commit: DeltaCommit): Promise<DeltaOutcome> {
  let firstCount = 0;
  const outcome = await db.transaction(async (trx): Promise<DeltaOutcome> => {
    const place = commit.leftover === undefined ? await claimFirstRows(trx, commit.check) : undefined;
    if (place === undefined) return commitDifferences(trx, commit);
    const stored = await commitFirstRows(trx, commit, place);
    if (stored.outcome === 'changed') firstCount = stored.totalCount;
    return stored;
  });
  await tellPlanner(db, firstCount);
  return outcome;
}

/** Stores the rows of a record's first snapshot where they stay, before it is known whether they may. */
async function commitFirstRows(
  trx: Knex.Transaction,
  commit: DeltaCommit,
  place: RowsPlace,
): Promise<DeltaOutcome> {
  await trx.raw('savepoint nothing_stored');
  const totalCount = await storeFirstRows(trx, place, commit.batches);
  const body = commit.body();
  const head = await lockHead(trx, commit.check);
  if (head === undefined || isOvertaken(commit, head)) {
    await trx.raw('rollback to savepoint nothing_stored');
    return { outcome: head === undefined ? 'already-committed' : 'overtaken' };
  }
  requireSamePlace(head, place);
  const counts = { new: 0, changed: 0, deleted: 0 };
  const recording = { commit, body, head, counts, next: place.sequence, totalCount };
  const event = await recordDelta(trx, recording);
  await keepStartOver(trx, { commit, body, head, generation: head.generation, isNewBody: true });
  return { outcome: 'changed', previousSha256: head.bodySha256, ...event };
}

async function commitDifferences(trx: Knex.Transaction, commit: DeltaCommit): Promise<DeltaOutcome> {
  const { leftover } = commit;
  const loadedCount = await loadIncomingRows(trx, commit.batches);
  if (leftover !== undefined) await loadKeysLeftBefore(trx, leftover.keysLeftBefore);
  const body = commit.body();
  const head = await lockHead(trx, commit.check);
  if (head === undefined) return { outcome: 'already-committed' };
  if (isOvertaken(commit, head)) return { outcome: 'overtaken' };
  if (leftover !== undefined) await joinLeftover(trx, head, leftover);
  const totalCount = loadedCount + (leftover?.matchedCount() ?? 0);
  const counts = await findDifferences(trx, head, leftover !== undefined);
  const { totalRows: before, rejectedRows: rejected } = head;
  const [held, heldSinceMs] = isLikeHeld(commit, head) ? [head.heldRows, head.heldSinceMs] : [null, null];
  const rows: DropRows = { before, now: totalCount, held, rejected, heldSinceMs };
  if (commit.isSharpDrop(rows)) {
    return { outcome: 'sharp-drop', rows, body, changes: await heldChanges(trx, counts, totalCount) };
  }
  const isUnchanged = counts.new + counts.changed + counts.deleted === 0;
  const next = isUnchanged ? head.sequence : head.sequence + 1;
  if (!isUnchanged) await storeDifferences(trx, head, next);
  const event = await recordDelta(trx, { commit, body, head, counts, next, totalCount });
  return { outcome: isUnchanged ? 'unchanged' : 'changed', previousSha256: head.bodySha256, ...event };
}

const isOvertaken = ({ rule }: DeltaCommit, head: LockedHead): boolean =>
  rule !== undefined && rule.generation !== head.generation;

/** Another address, or another place in the same document, says nothing of what was held. */
const isLikeHeld = ({ rule, validators }: DeltaCommit, head: LockedHead): boolean =>
  head.heldUrlHash === validators.urlHash &&
  (rule === undefined || rule.dialectVersion === head.heldDialectVersion);

/** The head, locked until the end; undefined when this check is committed already or the record is deleted. */
export async function lockHead(
  trx: Knex.Transaction,
  check: { id: string; recordId: string },
): Promise<LockedHead | undefined> {
  const [locked] = await rawRows<
    Omit<LockedHead, 'startsOverGeneration' | 'heldSinceMs'> & { heldForMs: number | null }
  >(
    trx,
    `select record_no as "recordNo", generation, sequence, snapshot_id as "snapshotId", total_rows as "totalRows",
       columns, held_rows as "heldRows", rejected_rows as "rejectedRows", held_body ->> 'urlHash' as "heldUrlHash",
       (held_body ->> 'dialectVersion')::integer as "heldDialectVersion", is_held_accepted as "isHeldAccepted", held_check_id as "heldCheckId", body_sha256 as "bodySha256",
       (extract(epoch from clock_timestamp() - held_since) * 1000)::double precision as "heldForMs"
     from record_heads where record_id = ? for update`,
    [check.recordId],
  );
  const lockedAtMs = Date.now();
  // Asked only now that the lock is held: an activity that runs twice sees what its twin committed, and no
  // row version is added to a record while it is being erased.
  const [open] = await rawRows<Pick<LockedHead, 'startsOverGeneration'>>(
    trx,
    `select starts_over_generation as "startsOverGeneration" from records where id = :recordId and deleted_at is null
       and not exists (select from checks where id = :id)`,
    check,
  );
  if (open === undefined || locked === undefined) return undefined;
  const { heldForMs, ...head } = locked;
  return { ...head, ...open, heldSinceMs: heldForMs === null ? null : lockedAtMs - heldForMs };
}

/** Fills the temporary table `differing` with the keys whose row is new, changed or deleted, and counts them. */
async function findDifferences(
  trx: Knex.Transaction,
  head: LockedHead,
  isLeftover: boolean,
): Promise<DeltaCounts> {
  if (isLeftover) await compareLeftover(trx);
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
     select row_key, stored.line,
       case when stored.row_hash is null then 'new' when incoming.row_hash is null then 'deleted' else 'changed'
       end as change_type
     from (
       select row_key, row_hash, ctid as line from row_versions
       where record_no = ? and generation = ? and last_seq is null
     ) stored
     full join incoming using (row_key)
     where stored.row_hash is distinct from incoming.row_hash`,
    [head.recordNo, head.generation],
  );
}

/**
 * Ends the versions of changed and deleted rows with the last snapshot, and begins those of new and changed ones.
 * The former are found by their lines, which stay where they are while the head is locked: finding a few among a
 * million by key, PostgreSQL may well read all of them.
 */
async function storeDifferences(trx: Knex.Transaction, head: LockedHead, sequence: number): Promise<void> {
  await trx.raw(
    `update row_versions set last_seq = ?::integer - 1
     where ctid = any(array(select line from differing where line is not null))`,
    [sequence],
  );
  await trx.raw(
    `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
     select ?, ?, row_key, ?, row_hash, data from incoming join differing using (row_key) order by row_key`,
    [head.recordNo, head.generation, sequence],
  );
}
