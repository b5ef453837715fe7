// The rows that a compared check leaves behind, written in the transaction of db/commit/commit-delta.ts. The head
// moves first, and what follows is copied from it, so all of it tells one story.
import { announceChange } from '../driver/change-notices.ts';
import { asksOrigin, CHECKED_AT, NEXT_CHECK } from './checks.ts';
import type { CommittedEvent, Recording } from './commit-facts.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import { insertDeliveries } from '../webhooks/new-deliveries.ts';
import { schemaChange } from './schema-change.ts';

/** Writes head, snapshot, event, check and pending deliveries, in this order. */
export async function recordDelta(trx: Knex.Transaction, recording: Recording): Promise<CommittedEvent> {
  const { counts, totalCount, head, next, commit } = recording;
  const { recordId, trigger } = commit.check;
  const isSnapshotNew = next !== head.sequence;
  const isNoChange = head.snapshotId === null || !isSnapshotNew || recording.opensGeneration === true;
  await advanceHead(trx, recording);
  if (isSnapshotNew) await insertSnapshot(trx, recordId);
  const deltaEventId = await insertEvent(trx, recording, isNoChange);
  await insertCheck(trx, recording, deltaEventId);
  if (!isNoChange) await announceChange(trx, recordId);
  const pendingDeliveries = await insertDeliveries(trx, recordId, deltaEventId, {
    isOfOrigin: asksOrigin(trigger),
  });
  return { deltaEventId, counts, totalCount, pendingDeliveries };
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
      // A new order of columns alone is no new snapshot, and rows are kept as they came first.
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

/** A body that is stored already says nothing of an origin that fails since it came. */
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

function ruleOf({ commit: { rule }, head, opensGeneration }: Recording) {
  if (rule === undefined) return {};
  const { ignoreFields, headerRow, dialectVersion } = rule;
  const generation = head.generation + (opensGeneration === true ? 1 : 0);
  return { ignoreFields, headerRow, dialectVersion, generation };
}

/** Nothing has changed at a baseline: there is nothing that it could differ from. */
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
  if (row === undefined) throw new Error('The head vanished while its check was being committed');
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
