// Commits a check whose body was read: check, snapshot, delta event, row versions and pending deliveries. It is one
// transaction, and takes the numbers of check, event and snapshot under a lock on the record's head.
import type {
  CommittedEvent,
  DeltaCommit,
  DropRows,
  HeldChanges,
  LockedHead,
  ReadBody,
  Recording,
} from './commit-facts.ts';
import {
  claimFirstRows,
  requireSamePlace,
  type RowsPlace,
  storeFirstRows,
  analyzeRows,
} from './first-rows.ts';
import {
  findDifferences,
  heldChanges,
  joinLeftover,
  loadIncomingRows,
  loadKeysLeftBefore,
  storeDifferences,
} from './compare-rows.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { keepStartOver } from './start-over.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';
import { announceChange } from '../driver/change-notices.ts';
import { asksOrigin, CHECKED_AT, insertShortRow, IS_NEW, NEXT_CHECK } from './checks.ts';
import { insertDeliveries } from '../webhooks/new-deliveries.ts';
import { schemaChange } from './schema-change.ts';
import { uuidOf } from '../unchanged-checks.ts';

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
 * @throws NeedsExactPath the leftover rows are not enough to decide; nothing is written
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
  await analyzeRows(db, firstCount);
  return outcome;
}

/** Copies the rows of a first snapshot straight into `row_versions`, and rolls that back if the check may not commit. */
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
  const event = await writeCheck(trx, recording);
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
  const [held, heldSinceMs] = confirmsHeld(commit, head) ? [head.heldRows, head.heldSinceMs] : [null, null];
  const rows: DropRows = { before, now: totalCount, held, rejected, heldSinceMs };
  if (commit.isSharpDrop(rows)) {
    return { outcome: 'sharp-drop', rows, body, changes: await heldChanges(trx, counts, totalCount) };
  }
  const isUnchanged = counts.new + counts.changed + counts.deleted === 0;
  const next = isUnchanged ? head.sequence : head.sequence + 1;
  if (!isUnchanged) await storeDifferences(trx, head, next);
  const event = await writeCheck(trx, { commit, body, head, counts, next, totalCount });
  return { outcome: isUnchanged ? 'unchanged' : 'changed', previousSha256: head.bodySha256, ...event };
}

const isOvertaken = ({ rule }: DeltaCommit, head: LockedHead): boolean => rule.generation !== head.generation;

/** A body can only confirm a held one that came from the same URL and was read under the same settings. */
const confirmsHeld = ({ rule, validators }: DeltaCommit, head: LockedHead): boolean =>
  head.heldUrlHash === validators.urlHash && rule.dialectVersion === head.heldDialectVersion;

/** Locks the head until the transaction ends. Undefined when this check is already committed or the record is deleted. */
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
  // Read under the lock: a second run of an activity sees what the first one committed, and no row version is added to a
  // record that is being erased.
  const [open] = await rawRows<Pick<LockedHead, 'startsOverGeneration'>>(
    trx,
    `select starts_over_generation as "startsOverGeneration" from records where id = :recordId and deleted_at is null
       and ${IS_NEW}`,
    { ...check, digits: uuidOf('check', check.id) },
  );
  if (open === undefined || locked === undefined) return undefined;
  const { heldForMs, ...head } = locked;
  return { ...head, ...open, heldSinceMs: heldForMs === null ? null : lockedAtMs - heldForMs };
}

/**
 * Writes head, snapshot, event, check and pending deliveries, in this order. The later rows copy their values from the
 * updated head, so all of them agree.
 */
export async function writeCheck(trx: Knex.Transaction, recording: Recording): Promise<CommittedEvent> {
  const { counts, totalCount, head, next, commit } = recording;
  const { recordId, trigger } = commit.check;
  const isSnapshotNew = next !== head.sequence;
  const isNoChange = head.snapshotId === null || !isSnapshotNew || recording.opensGeneration === true;
  await advanceHead(trx, recording);
  if (isSnapshotNew) await insertSnapshot(trx, recordId);
  else if (await isShortRowEnough(trx, recording)) return { counts, totalCount, pendingDeliveries: 0 };
  const deltaEventId = await insertEvent(trx, recording, isNoChange);
  await insertCheck(trx, recording, deltaEventId);
  if (!isNoChange) await announceChange(trx, recordId);
  const pendingDeliveries = await insertDeliveries(trx, recordId, deltaEventId, {
    isOfOrigin: asksOrigin(trigger),
  });
  return { counts, totalCount, pendingDeliveries };
}

/** Inserts the short row of an unchanged check, if it says all that there is to say. @returns whether it does */
async function isShortRowEnough(
  trx: Knex.Transaction,
  { commit, body, totalCount }: Recording,
): Promise<boolean> {
  const { id, recordId, trigger, startedAt, httpStatus } = commit.check;
  const uuid = uuidOf('check', id);
  const isPlain =
    asksOrigin(trigger) && httpStatus !== null && body.rows === totalCount && body.warnings.length === 0;
  if (!isPlain || uuid === null) return false;
  const rows = await rawRows(
    trx,
    `with head as (select * from record_heads where record_id = :recordId)
     ${insertShortRow('failing_since is null')}`,
    { digits: uuid, recordId, trigger, startedAt, httpStatus, bytes: body.bytes },
  );
  return rows.length > 0;
}

async function advanceHead(trx: Knex.Transaction, recording: Recording): Promise<void> {
  const { commit, body, head, next, totalCount } = recording;
  const { recordId, nextCheckInMs, trigger } = commit.check;
  const isSnapshotNew = next !== head.sequence;
  await trx('record_heads')
    .where({ recordId })
    .update({
      checkNumber: trx.raw('check_number + 1'),
      eventNumber: trx.raw('event_number + 1'),
      ...ruleOf(recording),
      // Reordered columns alone make no new snapshot, and the stored rows keep their order of members.
      ...(isSnapshotNew
        ? {
            sequence: next,
            snapshotId: trx.raw(`'snap_' || replace(uuidv7()::text, '-', '')`),
            columns: body.columns,
          }
        : {}),
      totalRows: totalCount,
      keyFields: body.key.fields,
      keySource: body.key.source,
      keyEvidence: JSON.stringify(body.key.evidence),
      dialect: JSON.stringify(body.dialect),
      bodySha256: body.sha256,
      bodyBytes: body.bytes,
      validatedUrlHash: commit.validators.urlHash,
      etag: commit.validators.etag,
      lastModified: commit.validators.lastModified,
      ...NOTHING_HELD,
      ...(trigger === 'settings' ? {} : { rejectedRows: null }),
      lastCheckedAt: trx.raw(CHECKED_AT),
      ...outcomeState(trx, recording),
      nextCheckAt: trx.raw(NEXT_CHECK, { nextCheckInMs, recordId }),
    });
}

/** A check of a stored body does not ask the origin, so it leaves the state of a failing origin as it is. */
function outcomeState(trx: Knex.Transaction, recording: Recording) {
  const lastOutcome = outcomeOf(recording);
  if (asksOrigin(recording.commit.check.trigger)) {
    const noError = { lastErrorCode: null, lastErrorDetail: null, consecutiveFailures: 0 };
    return { lastOutcome, ...noError, originAskedAt: trx.raw(CHECKED_AT) };
  }
  const unlessFailing = (column: string, value: string | null) =>
    trx.raw(`case when consecutive_failures > 0 then ${column} else ?::text end`, [value]);
  return {
    lastOutcome: unlessFailing('last_outcome', lastOutcome),
    lastErrorCode: unlessFailing('last_error_code', null),
    lastErrorDetail: unlessFailing('last_error_detail', null),
  };
}

const NOTHING_HELD = {
  heldRows: null,
  heldSha256: null,
  heldCheckId: null,
  heldBody: null,
  isHeldAccepted: false,
};

function ruleOf({ commit, head, opensGeneration }: Recording) {
  const { ignoreFields, headerRow, dialectVersion } = commit.rule;
  const generation = head.generation + (opensGeneration === true ? 1 : 0);
  return { ignoreFields, headerRow, dialectVersion, generation };
}

/** A baseline has nothing to differ from, so it counts as unchanged. */
function outcomeOf({ head, next, opensGeneration }: Recording): 'changed' | 'unchanged' {
  const isBaseline = head.snapshotId === null || opensGeneration === true;
  return isBaseline || next === head.sequence ? 'unchanged' : 'changed';
}

async function insertSnapshot(trx: Knex.Transaction, recordId: string): Promise<void> {
  await trx.raw(
    `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
     select snapshot_id, record_id, generation, sequence, last_checked_at, total_rows, columns, body_bytes, body_sha256
     from record_heads where record_id = ?`,
    [recordId],
  );
}

async function insertEvent(
  trx: Knex.Transaction,
  recording: Recording,
  isNoChange: boolean,
): Promise<string> {
  const { commit, head, counts, totalCount } = recording;
  const [row] = await rawRows<{ id: string }>(
    trx,
    `insert into delta_events (id, record_id, number, check_id, snapshot_id, previous_snapshot_id, generation, sequence,
       detected_at, is_no_change, new_count, changed_count, deleted_count, unchanged_count, total_count,
       new_keys, changed_keys, deleted_keys, schema_change, rekeyed)
     select 'evt_' || replace(uuidv7()::text, '-', ''), record_id, event_number, :checkId, snapshot_id,
       :previousSnapshotId, generation, sequence, last_checked_at, :isNoChange, :new, :changed, :deleted, :unchanged,
       total_rows, ${keysOf('new', isNoChange)}, ${keysOf('changed', isNoChange)}, ${keysOf('deleted', isNoChange)},
       :schemaChange, :rekeyed
     from record_heads where record_id = :recordId
     returning id`,
    {
      checkId: commit.check.id,
      recordId: commit.check.recordId,
      previousSnapshotId: head.snapshotId,
      isNoChange,
      ...counts,
      unchanged: totalCount - counts.new - counts.changed,
      rekeyed: recording.opensGeneration === true,
      schemaChange: isNoChange ? null : JSON.stringify(await schemaChange(trx, recording)),
    },
  );
  if (row === undefined) throw new Error('The head of the record is missing');
  return row.id;
}

const keysOf = (changeType: keyof DeltaCounts, isNoChange: boolean): string =>
  isNoChange
    ? `'{}'::text[]`
    : `array(select row_key from differing where change_type = '${changeType}' order by row_key limit 100)`;

async function insertCheck(trx: Knex.Transaction, recording: Recording, deltaEventId: string): Promise<void> {
  const { commit, body } = recording;
  const outcome = outcomeOf(recording);
  await rawRows(
    trx,
    `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
       snapshot_id, delta_event_id, warnings)
     select :id, record_id, check_number, :trigger, :startedAt, last_checked_at, :outcome, :httpStatus, body_bytes,
       :rows, snapshot_id, :deltaEventId, :warnings
     from record_heads where record_id = :recordId`,
    { ...commit.check, outcome, rows: body.rows, deltaEventId, warnings: JSON.stringify(body.warnings) },
  );
}
