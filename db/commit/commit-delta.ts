// Commits a check whose body was read: check, snapshot, delta event, row versions and pending deliveries. It is one
// transaction, and takes the numbers of check, event and snapshot under a lock on the record's head.
import type {
  CheckHead,
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
import { carryingOf, carryOverFew, carryOverRows } from './carry-over.ts';
import { changedColumns, changedColumnsOfFew } from './changed-columns.ts';
import { countFew, findFew, gatherRows, heldFew, storeFew } from './compare-few.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { preparedBuilt, preparedRows } from '../driver/prepared.ts';
import { keepStartOver } from './start-over.ts';
import { pairFew, pairingOf, pairRows } from './pair-rows.ts';
import type { ChangedColumn } from '../rows/delta-events.ts';
import { asksOrigin, type CheckWarning } from '../../core/checks.ts';
import { announceChange } from '../driver/notices.ts';
import { CHECKED_AT, insertShortRow, IS_NEW, NEXT_CHECK, OvertakenError } from './checks.ts';
import { takeTurnsAtCommit, type Turn } from '../webhooks/lines.ts';
import { insertDeliveries } from '../webhooks/new-deliveries.ts';
import { insertEvent } from './insert-event.ts';
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
  if (commit.isFew === true) return commitFew(db, commit);
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
  const found = await findDifferences(trx, head, leftover !== undefined);
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

/** Like commitDelta, with all rows in memory. They are read before a connection is taken. */
async function commitFew(db: Database, commit: DeltaCommit): Promise<DeltaOutcome> {
  const gathered = await gatherRows(commit.batches);
  const body = commit.body();
  const totalCount = gathered.size;
  return db.transaction(async (trx): Promise<DeltaOutcome> => {
    const head = await lockHead(trx, commit.check);
    if (head === undefined) return { outcome: 'already-committed' };
    if (isOvertaken(commit, head)) return { outcome: 'overtaken' };
    const found = await findFew(trx, head, gathered);
    const carried = carryOverFew(found, gathered, carryingOf(commit, body));
    const { differences, rows, warnings } = await pairFew(trx, carried, pairingOf(commit, body));
    const counts = countFew(differences);
    return recordDifferences(
      trx,
      { commit, body: withWarnings(body, warnings), head, counts, totalCount, differences },
      {
        hold: () => Promise.resolve(heldFew(differences, counts, totalCount)),
        columns: () => Promise.resolve(changedColumnsOfFew(differences, rows)),
        store: (sequence) => storeFew(trx, head, sequence, differences, rows),
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
  compared: Omit<Recording, 'next' | 'changedColumns'>,
  { hold, columns, store }: Comparison,
): Promise<DeltaOutcome> {
  const { commit, body, head, counts, totalCount } = compared;
  const { totalRows: before, rejectedRows: rejected } = head;
  const [held, heldSinceMs] = confirmsHeld(commit, head) ? [head.heldRows, head.heldSinceMs] : [null, null];
  const rows: DropRows = { before, now: totalCount, held, rejected, heldSinceMs };
  if (commit.isSharpDrop(rows)) return { outcome: 'sharp-drop', rows, body, changes: await hold() };
  const isUnchanged = counts.new + counts.changed + counts.deleted === 0;
  const next = isUnchanged ? head.sequence : head.sequence + 1;
  const changedIn = counts.changed === 0 ? undefined : await columns();
  if (!isUnchanged) await store(next);
  const event = await writeCheck(trx, { ...compared, next, changedColumns: changedIn });
  return { outcome: isUnchanged ? 'unchanged' : 'changed', previousSha256: head.bodySha256, ...event };
}

const isOvertaken = ({ rule }: DeltaCommit, head: LockedHead): boolean => rule.generation !== head.generation;

/** A body can only confirm a held one that came from the same URL and was read under the same settings. */
const confirmsHeld = ({ rule, validators }: DeltaCommit, head: LockedHead): boolean =>
  head.heldUrlHash === validators.urlHash && rule.dialectVersion === head.heldDialectVersion;

/**
 * Locks the head until the transaction ends. Undefined when this check is already committed or the record is deleted.
 * @throws OvertakenError the origin was asked for another check meanwhile
 */
export async function lockHead(
  trx: Knex.Transaction,
  check: Pick<CheckHead, 'id' | 'recordId' | 'originAskedBefore'>,
): Promise<LockedHead | undefined> {
  const [locked] = await preparedRows<
    Omit<LockedHead, 'startsOverGeneration' | 'heldSinceMs'> & { heldForMs: number | null }
  >(
    trx,
    `select record_no as "recordNo", generation, sequence, snapshot_id as "snapshotId", total_rows as "totalRows",
       columns, held_rows as "heldRows", rejected_rows as "rejectedRows", held_body ->> 'urlHash' as "heldUrlHash",
       (held_body ->> 'dialectVersion')::integer as "heldDialectVersion", is_held_accepted as "isHeldAccepted", held_check_id as "heldCheckId", body_sha256 as "bodySha256",
       origin_asked_at as "originAskedAt",
       (extract(epoch from clock_timestamp() - held_since) * 1000)::double precision as "heldForMs"
     from record_heads where record_id = $1 for update`,
    [check.recordId],
  );
  const lockedAtMs = Date.now();
  // Read under the lock: a second run of an activity sees what the first one committed, and no row version is added to a
  // record that is being erased.
  const [open] = await preparedBuilt<Pick<LockedHead, 'startsOverGeneration'>>(
    trx,
    trx.raw(
      `select starts_over_generation as "startsOverGeneration" from records where id = :recordId and deleted_at is null
         and ${IS_NEW}`,
      { id: check.id, recordId: check.recordId, digits: uuidOf('check', check.id) },
    ),
  );
  if (open === undefined || locked === undefined) return undefined;
  const { originAskedBefore } = check;
  if (originAskedBefore !== undefined && originAskedBefore?.getTime() !== locked.originAskedAt?.getTime()) {
    throw new OvertakenError();
  }
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
  if (isSnapshotNew) await insertSnapshot(trx, recording);
  else if (await isShortRowEnough(trx, recording)) return { counts, totalCount, pendingDeliveries: 0 };
  const event = await insertEvent(trx, recording, isNoChange);
  await insertCheck(trx, recording, event.deltaEventId);
  if (!isNoChange) await announceChange(trx, recordId);
  const { claimMs = 0 } = commit;
  const isOfOrigin = asksOrigin(trigger);
  const deliveries = await insertDeliveries(trx, recordId, event.deltaEventId, { isOfOrigin, claimMs });
  const written = { counts, totalCount, pendingDeliveries: deliveries.length };
  if (claimMs === 0) return written;
  const ordered = deliveries.filter(({ isOrdered }) => isOrdered);
  const turns = ordered.length === 0 ? NO_TURNS : await takeTurnsAtCommit(trx, ordered);
  return { ...written, claimed: { deliveries, turns, event } };
}

const NO_TURNS: ReadonlyMap<string, Turn> = new Map();

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
  const update = trx('record_heads')
    .where({ recordId })
    .update({
      checkNumber: trx.raw('check_number + 1'),
      ruledCheck: trx.raw('check_number + 1'),
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
  await preparedBuilt(trx, update);
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
  const { ignoreFields, rules, headerRow, dialectVersion } = commit.rule;
  const generation = head.generation + (opensGeneration === true ? 1 : 0);
  return { ignoreFields, rules: JSON.stringify(rules), headerRow, dialectVersion, generation };
}

/** A baseline has nothing to differ from, so it counts as unchanged. */
function outcomeOf({ head, next, opensGeneration }: Recording): 'changed' | 'unchanged' {
  const isBaseline = head.snapshotId === null || opensGeneration === true;
  return isBaseline || next === head.sequence ? 'unchanged' : 'changed';
}

async function insertSnapshot(trx: Knex.Transaction, { commit, head }: Recording): Promise<void> {
  const { recordId, trigger } = commit.check;
  // Other settings give another reading of the same data.
  const readBefore = trigger === 'settings' ? head.snapshotId : null;
  await preparedRows(
    trx,
    `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash,
       rules, unchanged_since)
     select snapshot_id, record_id, generation, sequence, last_checked_at, total_rows, columns, body_bytes, body_sha256,
       nullif(rules - key_fields, '{}'), (
         select coalesce(before.unchanged_since, before.created_at) from snapshots before where before.id = $2)
     from record_heads where record_id = $1`,
    [recordId, readBefore],
  );
}

async function insertCheck(trx: Knex.Transaction, recording: Recording, deltaEventId: string): Promise<void> {
  const { commit, body } = recording;
  const outcome = outcomeOf(recording);
  const { id, recordId, trigger, startedAt, httpStatus } = commit.check;
  await preparedRows(
    trx,
    `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
       snapshot_id, delta_event_id, warnings)
     select $1, record_id, check_number, $3, $4, last_checked_at, $5, $6, body_bytes, $7, snapshot_id, $8, $9
     from record_heads where record_id = $2`,
    [
      id,
      recordId,
      trigger,
      startedAt,
      outcome,
      httpStatus,
      body.rows,
      deltaEventId,
      JSON.stringify(body.warnings),
    ],
  );
}
