// The second half of a check: read the fetched body into keyed rows, compare them with the latest snapshot,
// commit what they come to.
import type { KeyEvidence } from '../core/delta/detect-key.ts';
import type { Dialect } from '../core/delta/model.ts';
import { ROW_LIMITS } from '../core/delta/model.ts';
import { openRows, type ReadSummary, type RowReader } from '../core/delta/read-rows.ts';
import { CHECK_ERRORS, CheckError } from '../core/errors.ts';
import { isSharpDrop } from '../core/sharp-drop.ts';
import { TIERS } from '../core/tiers.ts';
import { type CheckFacts, commitProblemCheck } from '../db/checks.ts';
import { commitDelta, type DeltaOutcome, type ReadBody } from '../db/commit-delta.ts';
import { findRecord, type TrackedRecord } from '../db/records.ts';
import type { CommittedCheck, RecordDeltaInput } from '../workflows/contract.ts';
import { committed, followingCheckInMs, noCheck, triggerOf } from './check-plan.ts';
import { commitByBytes } from './commit-by-bytes.ts';
import type { ActivityDeps } from './deps.ts';
import { findCommitted, findEarlierAttempt } from './earlier-attempt.ts';
import { forgetBodies } from './forget-bodies.ts';
import { heartbeating } from './heartbeating.ts';
import { indexBody } from './index-body.ts';

/** Idempotent on the check's id. */
export async function recordDelta(deps: ActivityDeps, input: RecordDeltaInput): Promise<CommittedCheck> {
  const earlier = await findEarlierAttempt(deps, input);
  if (earlier !== undefined) return earlier;
  const record = await findRecord(deps.db, input.recordId);
  if (record === undefined) return noCheck(record);
  const check: DeltaCheck = {
    id: input.checkId,
    recordId: record.id,
    trigger: triggerOf(record, input),
    startedAt: new Date(input.startedAtMs),
    httpStatus: input.body.httpStatus,
    nextCheckInMs: followingCheckInMs(deps, record, { freshForMs: input.body.freshForMs ?? null }),
  };
  try {
    const outcome = await heartbeating(() => compareAndCommit(deps, record, check, input));
    return await conclude(deps, record, check, input, outcome);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    return fail(deps, record, check, input, error);
  }
}

type DeltaCheck = Omit<CheckFacts, 'bytes' | 'rows'>;

async function compareAndCommit(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: DeltaCheck,
  { body }: RecordDeltaInput,
): Promise<DeltaOutcome> {
  const openBody = async function* (sha256: string): AsyncGenerator<Uint8Array> {
    yield* await deps.blobs.open(record.id, sha256);
  };
  const limits = { ...ROW_LIMITS, maxRows: TIERS[record.tier].maxRows };
  const reader = await openRows(() => openBody(body.sha256), {
    format: record.format ?? undefined,
    contentType: body.contentType ?? undefined,
    delimiter: record.delimiter ?? undefined,
    rowsPath: record.rowsPath ?? undefined,
    dialect: (record.dialect ?? undefined) as Dialect | undefined,
    keyFields: knownKey(record),
    ignoreFields: record.ignoreFields,
    limits,
  });
  const commit = (summary: () => ReadSummary) => ({
    check,
    validators: body,
    body: () => describeBody(record, reader, summary(), body),
    isSharpDrop,
  });
  const fast = await commitByBytes(deps, { record, body, reader, limits, openBody, commit });
  if (fast !== undefined) return fast;
  const exact = commit(() => reader.summary());
  const outcome = await commitDelta(deps.db, { ...exact, batches: reader.batches() });
  if (outcome.outcome === 'changed' || outcome.outcome === 'unchanged') {
    const { dialect } = reader;
    await indexBody(deps, record, () => openBody(body.sha256), { ...exact.body(), dialect });
  }
  return outcome;
}

/** The key given, or the one found earlier; undefined when it is still to be found. */
function knownKey({
  keyFields,
  snapshotId,
  keyEvidence,
  headKeyFields,
}: TrackedRecord): readonly string[] | undefined {
  if (keyFields !== null) return keyFields;
  // A table that never had rows says nothing about its key; one that has lost them keeps it, because the
  // snapshots before are keyed by it.
  const isOpen = snapshotId === null || (keyEvidence as KeyEvidence | null)?.rule === 'no_rows';
  return isOpen ? undefined : headKeyFields;
}

function describeBody(
  record: TrackedRecord,
  reader: RowReader,
  { columns, rowCount, warnings }: ReadSummary,
  body: RecordDeltaInput['body'],
): ReadBody {
  // Without a header, nothing tells a table that lost its rows from an answer that lost its body.
  if (rowCount === 0 && columns.length === 0) throw new CheckError('empty_body');
  refuseForeignTable(record, columns);
  return {
    sha256: body.sha256,
    bytes: body.sizeBytes,
    rows: rowCount,
    columns,
    key: {
      fields: [...reader.key.fields],
      source: record.keyFields === null ? 'detected' : 'given',
      evidence: reader.key.evidence ?? record.keyEvidence,
    },
    dialect: reader.dialect,
    warnings,
  };
}

/**
 * Rows without a key are known by their content, so every one of them would seem deleted when a body of something
 * else comes: an error in plain text, another delimiter, a renamed header. Rows with a key need its column.
 */
function refuseForeignTable({ totalRows, columns: known }: TrackedRecord, columns: readonly string[]): void {
  if (totalRows === 0 || known.length === 0 || columns.some((column) => known.includes(column))) return;
  throw new CheckError('malformed_body', 'None of the columns that the record had is there.');
}

async function conclude(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: DeltaCheck,
  { body }: RecordDeltaInput,
  outcome: DeltaOutcome,
): Promise<CommittedCheck> {
  if (outcome.outcome === 'already-committed') {
    const earlier = await findCommitted(deps, { recordId: record.id, checkId: check.id });
    if (earlier === undefined) throw new Error('A check is there and not there');
    return earlier;
  }
  if (outcome.outcome === 'sharp-drop') return hold(deps, record, check, body.sha256, outcome);
  await forgetBodies(deps, record, [body.sha256]);
  const { counts, totalCount, pendingDeliveries, deltaEventId } = outcome;
  const words =
    outcome.outcome === 'unchanged'
      ? `Unchanged: ${totalCount} rows.`
      : record.snapshotId === null
        ? `First check: ${totalCount} rows.`
        : `Changed: ${counts.new} new, ${counts.changed} changed, ${counts.deleted} deleted, ${totalCount} rows in all.`;
  const deliver = pendingDeliveries === 0 ? null : { deltaEventId, count: pendingDeliveries };
  return committed(record, check.nextCheckInMs, { words, deliver });
}

async function hold(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: DeltaCheck,
  sha256: string,
  { rowsBefore, rowsNow, body }: Extract<DeltaOutcome, { outcome: 'sharp-drop' }>,
): Promise<CommittedCheck> {
  const nextCheckInMs = deps.config.heldRecheckSeconds * 1_000;
  await commitProblemCheck(
    deps.db,
    'held',
    { ...check, bytes: body.bytes, rows: rowsNow, nextCheckInMs },
    {
      code: 'sharp_drop',
      detail: `${CHECK_ERRORS.sharp_drop} ${rowsNow} rows after ${rowsBefore}.`,
      warnings: body.warnings,
    },
    sha256,
  );
  await forgetBodies(deps, record, [record.bodySha256, sha256]);
  return committed(record, nextCheckInMs, {
    words: `Held: ${rowsNow} rows after ${rowsBefore}; waiting for a second check to confirm.`,
  });
}

async function fail(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: DeltaCheck,
  { body }: RecordDeltaInput,
  error: CheckError,
): Promise<CommittedCheck> {
  await commitProblemCheck(
    deps.db,
    'failed',
    { ...check, bytes: body.sizeBytes, rows: null },
    { code: error.code, detail: error.message },
  );
  if (body.sha256 !== record.bodySha256 && body.sha256 !== record.heldSha256) {
    await deps.blobs.remove(record.id, body.sha256);
  }
  return committed(record, check.nextCheckInMs, {
    words: `Failed (${error.code}): ${error.message}`,
    failures: record.consecutiveFailures + 1,
  });
}
