// Writes a compared check: head, snapshot, event, check and pending deliveries, under a lock on the record's head.
import { asksOrigin } from '../../core/checks.ts';
import type { DeliveredEvent } from '../../core/delivery-payload.ts';
import type { AcceptedRun } from '../../core/sharp-drop.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import { announceChange } from '../driver/notifications.ts';
import { preparedBuilt, preparedRows } from '../driver/prepared.ts';
import { DELIVERED_EVENT, MAX_STORED_KEYS } from '../rows/delta-events.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';
import { uuidOf } from '../unchanged-checks.ts';
import { leaseLinesAtCommit, type LineLease } from '../webhooks/lines.ts';
import { insertDeliveries } from '../webhooks/new-deliveries.ts';
import { CHECKED_AT, insertShortRow, IS_NEW, NEXT_CHECK, OvertakenError } from './checks.ts';
import type { CheckStart, CommittedEvent, Difference, LockedHead, ComparedCheck } from './commit-facts.ts';
import { findSchemaChange } from './schema-change.ts';

/** An earlier version leaves the run of another body. */
const ACCEPTED_RUN = `case when open_ended_run ->> 'sha256' = body_sha256 then open_ended_run end`;
/** An earlier version held the body and counted none: it is the first. */
const HELD_RUN = `coalesce(held_body -> 'openEndedRun',
  case when held_body ->> 'isOpenEnded' = 'true' and held_body -> 'rowsSinceMs' is null
    then json_build_object('bodies', 1, 'countedAtMs', (extract(epoch from held_since) * 1000)::double precision) end)`;
const CLOCK_MS = '(extract(epoch from clock_timestamp()) * 1000)::double precision';

/**
 * Locks the head until the transaction ends. Undefined when this check is already committed or the record is deleted.
 * @throws OvertakenError the origin was asked for another check meanwhile
 */
export async function lockHead(
  trx: Knex.Transaction,
  check: Pick<CheckStart, 'id' | 'recordId' | 'startedAt' | 'originAskedBefore'>,
): Promise<LockedHead | undefined> {
  const [locked] = await preparedRows<
    Omit<LockedHead, 'startsOverGeneration' | 'heldSinceMs' | 'clockAheadMs'> & {
      heldForMs: number | null;
      clockMs: number;
    }
  >(
    trx,
    `select record_no as "recordNo", generation, sequence, snapshot_id as "snapshotId", total_rows as "totalRows",
       columns, held_rows as "heldRows", rejected_rows as "rejectedRows", held_body ->> 'urlHash' as "heldUrlHash",
       (held_body ->> 'dialectVersion')::integer as "heldDialectVersion", is_held_accepted as "isHeldAccepted", held_check_id as "heldCheckId", body_sha256 as "bodySha256",
       origin_asked_at as "originAskedAt",
       ${HELD_RUN} as "heldRun", ${ACCEPTED_RUN} as "acceptedRun", ${CLOCK_MS} as "clockMs",
       ${CLOCK_MS} - coalesce((held_body ->> 'rowsSinceMs')::double precision,
         (extract(epoch from held_since) * 1000)::double precision) as "heldForMs"
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
  const { heldForMs, clockMs, ...head } = locked;
  // A clock that was put back during the check must not make the held body older than it is.
  const nowMs = Math.max(lockedAtMs, check.startedAt.getTime());
  return {
    ...head,
    ...open,
    heldSinceMs: heldForMs === null ? null : nowMs - heldForMs,
    clockAheadMs: clockMs - nowMs,
  };
}

/**
 * Writes head, snapshot, event, check and pending deliveries, in this order. The later rows copy their values from the
 * updated head, so all of them agree.
 */
export async function writeCheck(trx: Knex.Transaction, compared: ComparedCheck): Promise<CommittedEvent> {
  const { counts, totalCount, head, next, commit } = compared;
  const { recordId, trigger } = commit.check;
  const isSnapshotNew = next !== head.sequence;
  const isNoChange = head.snapshotId === null || !isSnapshotNew || compared.opensGeneration === true;
  await advanceHead(trx, compared);
  if (isSnapshotNew) await insertSnapshot(trx, compared);
  else if (await isShortRowEnough(trx, compared))
    return { sequence: next, counts, totalCount, pendingDeliveries: 0 };
  const event = await insertEvent(trx, compared, isNoChange);
  await insertCheck(trx, compared, event.deltaEventId);
  if (!isNoChange) await announceChange(trx, recordId);
  const { claimMs = 0 } = commit;
  const deliveries = await insertDeliveries(trx, recordId, event.deltaEventId, { trigger, claimMs });
  const written = { sequence: next, counts, totalCount, pendingDeliveries: deliveries.length };
  if (claimMs === 0) return written;
  const ordered = deliveries.filter(({ isOrdered }) => isOrdered);
  const leases = ordered.length === 0 ? NO_LEASES : await leaseLinesAtCommit(trx, ordered);
  return { ...written, claimed: { deliveries, leases, event } };
}

const NO_LEASES: ReadonlyMap<string, LineLease> = new Map();

/** Inserts the short row of an unchanged check, if it says all that there is to say. @returns whether it does */
async function isShortRowEnough(
  trx: Knex.Transaction,
  { commit, body, totalCount }: ComparedCheck,
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

async function advanceHead(trx: Knex.Transaction, compared: ComparedCheck): Promise<void> {
  const { commit, body, head, next, totalCount } = compared;
  const { recordId, nextCheckInMs, trigger } = commit.check;
  const isSnapshotNew = next !== head.sequence;
  const update = trx('record_heads')
    .where({ recordId })
    .update({
      checkNumber: trx.raw('check_number + 1'),
      ruledCheck: trx.raw('check_number + 1'),
      quotingCheck: trx.raw('check_number + 1'),
      eventNumber: trx.raw('event_number + 1'),
      ...ruleOf(compared),
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
      ...(trigger === 'settings'
        ? { putAsideVersion: commit.rule.putAsideVersion ?? null }
        : { putAsideVersion: null, rejectedRows: null, openEndedRun: openEndedRunOf(compared) }),
      lastCheckedAt: trx.raw(CHECKED_AT),
      ...outcomeState(trx, compared),
      nextCheckAt: trx.raw(NEXT_CHECK, { nextCheckInMs, recordId }),
    });
  await preparedBuilt(trx, update);
}

function openEndedRunOf({ commit, body: { sha256 } }: ComparedCheck): string | null {
  const run = commit.openEndedRun?.() ?? null;
  if (run === null) return null;
  const { urlHash } = commit.validators;
  return JSON.stringify({ ...run, sha256, urlHash } satisfies AcceptedRun);
}

/** A check of a stored body does not ask the origin, so it leaves the state of a failing origin as it is. */
function outcomeState(trx: Knex.Transaction, compared: ComparedCheck) {
  const lastOutcome = outcomeOf(compared);
  if (asksOrigin(compared.commit.check.trigger)) {
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

function ruleOf({ commit, head, opensGeneration }: ComparedCheck) {
  const { ignoreFields, rules, headerRow, quoting, dialectVersion } = commit.rule;
  const generation = head.generation + (opensGeneration === true ? 1 : 0);
  return { ignoreFields, rules: JSON.stringify(rules), headerRow, quoting, dialectVersion, generation };
}

/** A baseline has nothing to differ from, so it counts as unchanged. */
function outcomeOf({ head, next, opensGeneration }: ComparedCheck): 'changed' | 'unchanged' {
  const isBaseline = head.snapshotId === null || opensGeneration === true;
  return isBaseline || next === head.sequence ? 'unchanged' : 'changed';
}

async function insertSnapshot(trx: Knex.Transaction, { commit, head }: ComparedCheck): Promise<void> {
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

async function insertCheck(
  trx: Knex.Transaction,
  compared: ComparedCheck,
  deltaEventId: string,
): Promise<void> {
  const { commit, body } = compared;
  const outcome = outcomeOf(compared);
  const { id, recordId, trigger, startedAt, httpStatus } = commit.check;
  await preparedRows(
    trx,
    `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
       snapshot_id, delta_event_id, warnings)
     select $1, record_id, check_number, $3, least($4::timestamptz, last_checked_at), last_checked_at, $5, $6, body_bytes, $7, snapshot_id, $8, $9
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

/** The values of the check come from the head, which is already updated. */
async function insertEvent(
  trx: Knex.Transaction,
  compared: ComparedCheck,
  isNoChange: boolean,
): Promise<DeliveredEvent> {
  const { commit, head, counts, totalCount, changedColumns: changedIn } = compared;
  const statement = trx.raw(
    `insert into delta_events (id, record_id, number, check_id, snapshot_id, previous_snapshot_id, generation, sequence,
       detected_at, is_no_change, new_count, changed_count, deleted_count, unchanged_count, total_count,
       new_keys, changed_keys, deleted_keys, previous_keys, changed_columns, schema_change, rekeyed)
     select 'evt_' || replace(uuidv7()::text, '-', ''), record_id, event_number, :checkId, snapshot_id,
       :previousSnapshotId, generation, sequence, last_checked_at, :isNoChange, :new, :changed, :deleted, :unchanged,
       total_rows, ${keysOf('new', compared, isNoChange)}, ${keysOf('changed', compared, isNoChange)},
       ${keysOf('deleted', compared, isNoChange)}, ${previousKeysOf(compared, isNoChange)},
       :changedColumns, :schemaChange, :rekeyed
     from record_heads where record_id = :recordId
     returning ${DELIVERED_EVENT}`,
    {
      checkId: commit.check.id,
      recordId: commit.check.recordId,
      previousSnapshotId: head.snapshotId,
      isNoChange,
      ...counts,
      ...keysOfEvent(compared),
      previousKeys: previousKeysInMemory(compared),
      unchanged: totalCount - counts.new - counts.changed,
      changedColumns: changedIn === undefined ? null : JSON.stringify(changedIn),
      rekeyed: compared.opensGeneration === true,
      schemaChange: isNoChange ? null : JSON.stringify(await findSchemaChange(trx, compared)),
    },
  );
  const [row] = await preparedBuilt<DeliveredEvent>(trx, statement);
  if (row === undefined) throw new Error('The head of the record is missing');
  return row;
}

const keysOf = (
  changeType: keyof DeltaCounts,
  { differences }: ComparedCheck,
  isNoChange: boolean,
): string => {
  if (isNoChange) return `'{}'::text[]`;
  if (differences !== undefined) return `:${changeType}Keys::text[]`;
  return `array(select row_key from differing where change_type = '${changeType}' order by row_key limit ${MAX_STORED_KEYS})`;
};

const keysOfEvent = ({ differences = [] }: ComparedCheck) => ({
  newKeys: firstKeys(differences, 'new', MAX_STORED_KEYS),
  changedKeys: firstKeys(differences, 'changed', MAX_STORED_KEYS),
  deletedKeys: firstKeys(differences, 'deleted', MAX_STORED_KEYS),
});

/** SQL of the previous keys of the pairs among the changed keys; null without pairs. */
const previousKeysOf = ({ commit, differences }: ComparedCheck, isNoChange: boolean): string => {
  if (isNoChange || commit.pairing !== 'similarity') return 'null::json';
  if (differences !== undefined) return ':previousKeys::json';
  return `(select json_object_agg(row_key, previous_key order by row_key) from (
    select row_key, previous_key from differing where change_type = 'changed' order by row_key limit ${MAX_STORED_KEYS}
  ) changed where previous_key is not null)`;
};

function previousKeysInMemory({ differences = [] }: ComparedCheck): string | null {
  const changed = differences.filter(({ changeType }) => changeType === 'changed').slice(0, MAX_STORED_KEYS);
  const pairs = changed.flatMap(({ key, previousKey }) =>
    previousKey === undefined ? [] : [[key, previousKey] as const],
  );
  return pairs.length === 0 ? null : JSON.stringify(Object.fromEntries(pairs));
}

/** The first keys of a kind of change. */
export const firstKeys = (
  differences: readonly Difference[],
  changeType: keyof DeltaCounts,
  limit: number,
): string[] =>
  differences
    .filter((difference) => difference.changeType === changeType)
    .slice(0, limit)
    .map(({ key }) => key);
