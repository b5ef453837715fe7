// The rows that a compared check leaves behind, written in the transaction of db/commit-delta.ts.
import { NEXT_CHECK } from './checks.ts';
import type { CommittedEvent, DeltaCommit, DeltaCounts, LockedHead, ReadBody } from './commit-delta.ts';
import { type Knex, rawRows } from './knex.ts';

/** A comparison that is about to be written down. */
export interface Recording {
  commit: DeltaCommit;
  body: ReadBody;
  head: LockedHead;
  counts: DeltaCounts;
  next: number;
  totalCount: number;
}

/** Writes snapshot, head, event, check and pending deliveries, in this order. */
export async function recordDelta(trx: Knex.Transaction, recording: Recording): Promise<CommittedEvent> {
  const { counts, totalCount, head } = recording;
  const isSnapshotNew = recording.next !== head.sequence;
  const isNoChange = head.snapshotId === null || !isSnapshotNew;
  const snapshotId = isSnapshotNew ? await insertSnapshot(trx, recording) : head.snapshotId;
  await advanceHead(trx, recording, snapshotId);
  const deltaEventId = await insertEvent(trx, recording, { snapshotId, isNoChange });
  await insertCheck(trx, recording, { snapshotId, deltaEventId, isNoChange });
  const pendingDeliveries = isNoChange
    ? 0
    : await insertDeliveries(trx, recording.commit.check.recordId, deltaEventId);
  return { deltaEventId, counts, totalCount, pendingDeliveries };
}

async function insertSnapshot(
  trx: Knex.Transaction,
  { commit, body, head, next, totalCount }: Recording,
): Promise<string> {
  const [row] = await rawRows<{ id: string }>(
    trx,
    `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
     values ('snap_' || replace(uuidv7()::text, '-', ''), ?, ?, ?, now(), ?, ?, ?, ?) returning id`,
    [commit.check.recordId, head.generation, next, totalCount, body.columns, body.bytes, body.sha256],
  );
  return requireId(row);
}

async function advanceHead(
  trx: Knex.Transaction,
  recording: Recording,
  snapshotId: string | null,
): Promise<void> {
  const { commit, body, head, next, totalCount } = recording;
  const isSnapshotNew = next !== head.sequence;
  await trx('record_heads')
    .where({ recordId: commit.check.recordId })
    .update({
      checkNumber: trx.raw('check_number + 1'),
      eventNumber: trx.raw('event_number + 1'),
      sequence: next,
      snapshotId,
      totalRows: totalCount,
      // A new order of columns alone is no new snapshot, and rows are kept as they came first.
      ...(isSnapshotNew ? { columns: body.columns } : {}),
      keyFields: body.key.fields,
      keySource: body.key.source,
      keyEvidence: JSON.stringify(body.key.evidence),
      dialect: JSON.stringify(body.dialect),
      bodySha256: body.sha256,
      bodyBytes: body.bytes,
      etag: commit.validators.etag,
      lastModified: commit.validators.lastModified,
      heldRows: null,
      heldSha256: null,
      lastCheckedAt: trx.fn.now(),
      lastOutcome: outcomeOf(recording),
      consecutiveFailures: 0,
      nextCheckAt: trx.raw(NEXT_CHECK, {
        nextCheckInMs: commit.check.nextCheckInMs,
        recordId: commit.check.recordId,
      }),
    });
}

/** The baseline is a change of outcome for its check (there are rows now), though its event is no-change. */
function outcomeOf({ head, next }: Recording): 'changed' | 'unchanged' {
  return head.snapshotId === null || next === head.sequence ? 'unchanged' : 'changed';
}

async function insertEvent(
  trx: Knex.Transaction,
  { commit, body, head, counts, next, totalCount }: Recording,
  { snapshotId, isNoChange }: { snapshotId: string | null; isNoChange: boolean },
): Promise<string> {
  const [row] = await rawRows<{ id: string }>(
    trx,
    `insert into delta_events (id, record_id, number, check_id, snapshot_id, previous_snapshot_id, generation, sequence,
       detected_at, is_no_change, new_count, changed_count, deleted_count, unchanged_count, total_count,
       new_keys, changed_keys, deleted_keys, schema_change)
     select 'evt_' || replace(uuidv7()::text, '-', ''), record_id, event_number, :checkId, :snapshotId,
       :previousSnapshotId, :generation, :sequence, now(), :isNoChange, :new, :changed, :deleted, :unchanged, :total,
       ${keysOf('new', isNoChange)}, ${keysOf('changed', isNoChange)}, ${keysOf('deleted', isNoChange)}, :schemaChange
     from record_heads where record_id = :recordId
     returning id`,
    {
      checkId: commit.check.id,
      recordId: commit.check.recordId,
      snapshotId,
      previousSnapshotId: head.snapshotId,
      generation: head.generation,
      sequence: next,
      isNoChange,
      ...counts,
      unchanged: totalCount - counts.new - counts.changed,
      total: totalCount,
      schemaChange: isNoChange ? null : schemaChange(head.columns, body.columns),
    },
  );
  return requireId(row);
}

const keysOf = (changeType: keyof DeltaCounts, isNoChange: boolean): string =>
  isNoChange
    ? `'{}'::text[]`
    : `array(select row_key from differing where change_type = '${changeType}' order by row_key limit 100)`;

/** Columns that came and went, as JSON text; null when neither. */
function schemaChange(before: string[], after: string[]): string | null {
  const added = after.filter((column) => !before.includes(column));
  const removed = before.filter((column) => !after.includes(column));
  return added.length + removed.length === 0 ? null : JSON.stringify({ added, removed });
}

async function insertCheck(
  trx: Knex.Transaction,
  recording: Recording,
  ids: { snapshotId: string | null; deltaEventId: string; isNoChange: boolean },
): Promise<void> {
  const { commit, body } = recording;
  await rawRows(
    trx,
    `insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
       snapshot_id, delta_event_id, warnings)
     select :id, record_id, check_number, :trigger, :startedAt, now(), :outcome, :httpStatus, :bytes, :rows,
       :snapshotId, :deltaEventId, :warnings
     from record_heads where record_id = :recordId`,
    {
      ...commit.check,
      outcome: outcomeOf(recording),
      bytes: body.bytes,
      rows: body.rows,
      snapshotId: ids.snapshotId,
      deltaEventId: ids.deltaEventId,
      warnings: JSON.stringify(body.warnings),
    },
  );
}

/** One pending delivery for each webhook that is enabled at this moment. */
async function insertDeliveries(
  trx: Knex.Transaction,
  recordId: string,
  deltaEventId: string,
): Promise<number> {
  const rows = await rawRows(
    trx,
    `insert into deliveries (id, webhook_id, record_id, delta_event_id, next_attempt_at)
     select 'dlv_' || replace(uuidv7()::text, '-', ''), id, record_id, ?, now()
     from webhooks where record_id = ? and enabled and 'delta' = any(event_types)
     returning id`,
    [deltaEventId, recordId],
  );
  return rows.length;
}

function requireId(row: { id: string } | undefined): string {
  if (row === undefined) throw new Error('The record vanished while its check was being committed');
  return row.id;
}
