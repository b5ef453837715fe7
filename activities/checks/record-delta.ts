// The second half of a check: reads the fetched body, compares its rows with the latest snapshot, commits the result and
// reports it to the workflow.
import { urlHash } from '../../core/crypto/url-hash.ts';
import type { ReadSummary } from '../../core/delta/read-rows.ts';
import { CheckError } from '../../core/errors.ts';
import { startsOver } from '../../core/generation.ts';
import { asksOrigin, triggerOf } from '../../core/checks.ts';
import { OvertakenError } from '../../db/commit/checks.ts';
import { commitDelta, type DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { CheckStart, ReadBody, Validators } from '../../db/commit/commit-facts.ts';
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import { findAnswer } from '../../db/upkeep/loose-bodies.ts';
import { countCheck, countRows, timeCommit } from '../../telemetry/checks.ts';
import type { CommittedCheck, RecordDeltaInput } from '../../workflows/contract.ts';
import { beginGeneration, upgradeParsedRows } from './begin-generation.ts';
import { type CheckDeps, withComparisonSlot } from './check-deps.ts';
import { followingCheckInMs } from './check-plan.ts';
import { committed, countFailure, noCheck } from './committed-check.ts';
import { findCommitted, findEarlierAttempt } from './earlier-attempt.ts';
import { commitProblem } from './commit-problem.ts';
import { commitByBytes, type CommitWithoutRows, indexBody, keptNumbersOf } from './compare-by-bytes.ts';
import { type CommitJudge, createDropJudge, losesLineEnd } from './drop-judge.ts';
import { holdRepeatedKey, holdSharpDrop } from './hold-check.ts';
import { claimMsOf, keepClaim } from '../deliveries/claims.ts';
import type { ActivityDeps } from '../deps.ts';
import { forgetBodies, removeBody } from './kept-bodies.ts';
import { describeBody, openStoredBody, type StoredBody } from './read-body.ts';
import { withStoredRule, ruleOf, withRuleInForce } from './record-rule.ts';
import { heartbeating } from '../heartbeating.ts';
import type { GenerationOutcome } from '../../db/commit/commit-generation.ts';

/** Idempotent on the check's id. */
export const recordDelta = (deps: CheckDeps, input: RecordDeltaInput): Promise<CommittedCheck> =>
  withComparisonSlot(
    deps,
    input.recordId,
    async () => (await findEarlierAttempt(deps, input)) ?? recordUnlessOvertaken(deps, input),
  );

/** Each retry would be overtaken too, so the workflow goes on without this check. */
async function recordUnlessOvertaken(deps: ActivityDeps, input: RecordDeltaInput): Promise<CommittedCheck> {
  const { askedBeforeMs } = input.body;
  const askedBefore = typeof askedBeforeMs === 'number' ? new Date(askedBeforeMs) : askedBeforeMs;
  try {
    return await compareAndRecord(deps, input, askedBefore);
  } catch (error) {
    if (!(error instanceof OvertakenError)) throw error;
    const ended = noCheck(await findRecord(deps.db, input.recordId));
    return { ...ended, words: 'No check: a newer one was committed meanwhile.', isPlanStale: true };
  }
}

/**
 * Reads the fetched body, compares its rows with the latest snapshot and commits the result, once for each id of a check.
 * Call it with a comparison slot (check-deps.ts).
 * @param originAskedBefore of the record before the body was fetched, if a later check may have been committed meanwhile
 * @param hasFooter whether the accepted body is known to end with an incomplete row
 * @throws OvertakenError a later check was
 */
export async function compareAndRecord(
  deps: ActivityDeps,
  input: RecordDeltaInput,
  originAskedBefore?: Date | null,
  hasFooter = false,
): Promise<CommittedCheck> {
  const stored = await findRecord(deps.db, input.recordId);
  const found = stored && (await heartbeating(() => upgradeParsedRows(deps, stored)));
  if (found === undefined) return noCheck(found);
  const { body } = input;
  const isFromOtherUrl = body.urlHash !== urlHash(found.url, found.authVersion);
  const precedesStartOver = body.startsOver === false;
  const isEarlier = startsOver(found) && (isFromOtherUrl || precedesStartOver);
  const record = isEarlier ? withStoredRule(found) : withRuleInForce(found);
  const check: CheckStart = {
    id: input.checkId,
    recordId: record.id,
    trigger: triggerOf(record, input),
    startedAt: new Date(input.startedAtMs),
    httpStatus: body.httpStatus,
    nextCheckInMs: followingCheckInMs(deps, record, { freshForMs: input.body.freshForMs ?? null }),
    ...(originAskedBefore !== undefined && { originAskedBefore }),
    precedesStartOver,
  };
  const isLineEndLost = await heartbeating(() => losesLineEnd(deps, record, body));
  const judge = createDropJudge(deps, input, { hasFooter, isLineEndLost });
  try {
    const outcome = await heartbeating<GenerationOutcome | DeltaOutcome>(() =>
      startsOver(record)
        ? beginGeneration(deps, record, check, body)
        : compareBody(deps, record, check, body, judge),
    );
    // The rule changed while the body was read: read it again under the new one.
    if (outcome.outcome === 'overtaken') return await compareAndRecord(deps, input, originAskedBefore);
    if (outcome.outcome === 'sharp-drop') {
      if (await heartbeating(() => judge.findsFooter(record, outcome.body)))
        return await compareAndRecord(deps, input, originAskedBefore, true);
      return await holdSharpDrop(deps, record, check, input, outcome, judge.heldEnd());
    }
    return await concludeCheck(deps, record, check, body.sha256, outcome);
  } catch (error) {
    if (error instanceof KeyRepeated) {
      const held = await heartbeating(() => holdRepeatedKey(deps, record, check, input, error.body));
      return held ?? compareAndRecord(deps, input, originAskedBefore);
    }
    if (!(error instanceof CheckError)) throw error;
    return failCheck(deps, record, check, body, error);
  }
}

/** Two rows of the body have the same key, and the key was detected in an earlier body. */
class KeyRepeated extends Error {
  readonly body: ReadBody;

  constructor(body: ReadBody) {
    super('The key repeats');
    this.body = body;
  }
}

/** Rows that share a key are lost except for the last one. That is accepted only for key fields that the user gave. */
function requireKey({ snapshotId }: TrackedRecord, body: ReadBody): void {
  const isRepeated = body.warnings.some(({ code }) => code === 'duplicate_key');
  if (snapshotId !== null && body.key.source === 'detected' && isRepeated) throw new KeyRepeated(body);
}

/** @throws CheckError the body is not valid for the record @throws KeyRepeated */
export async function compareBody(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckStart,
  body: StoredBody & Validators,
  { isSharpDrop, openEndedRun }: CommitJudge,
): Promise<DeltaOutcome> {
  const opened = await openStoredBody(deps, record, body);
  const { reader, limits } = opened;
  const commit = (summary: () => ReadSummary): CommitWithoutRows => ({
    check,
    validators: body,
    body: () => {
      const read = describeBody(record, opened, summary(), body);
      if (check.trigger !== 'accepted') requireKey(record, read);
      return read;
    },
    isSharpDrop,
    ...(openEndedRun && { openEndedRun }),
    rule: ruleOf(record),
    pairing: record.pairing,
    claimMs: claimMsOf(deps),
  });
  const fast = await commitByBytes(deps, { record, body, reader, limits, commit });
  if (fast !== undefined) return fast;
  const kept = keptNumbersOf(record, reader);
  const exact = {
    ...commit(() => reader.summary()),
    fitsInMemory: fitsInMemory(record, body),
    onKept: kept.note,
  };
  const outcome = await timeCommit({ ...exact, batches: reader.storedBatches() }, (timed) =>
    commitDelta(deps.db, timed),
  );
  if (outcome.outcome === 'changed' || outcome.outcome === 'unchanged') {
    const { dialect } = reader;
    await indexBody(deps, { ...record, sequence: outcome.sequence }, { ...exact.body(), dialect }, kept);
  }
  return outcome;
}

/** Up to these, rows are compared in memory. */
const IN_MEMORY_BYTES = 256 * 1024;
const IN_MEMORY_ROWS = 10_000;

/** Whether the body is small, and so was the last one. */
const fitsInMemory = ({ snapshotId, totalRows }: TrackedRecord, { sizeBytes }: StoredBody): boolean =>
  snapshotId !== null && sizeBytes <= IN_MEMORY_BYTES && totalRows <= IN_MEMORY_ROWS;

type Conclusion = Exclude<
  DeltaOutcome | GenerationOutcome,
  { outcome: 'sharp-drop' } | { outcome: 'overtaken' }
>;

/**
 * Removes bodies that are no longer needed, now or with the first attempts, and reports the committed check.
 * @param sha256 the accepted body
 */
export async function concludeCheck(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckStart,
  sha256: string,
  outcome: Conclusion,
): Promise<CommittedCheck> {
  if (outcome.outcome === 'already-committed') {
    const earlier = await findCommitted(deps, { recordId: record.id, checkId: check.id });
    if (earlier === undefined) throw new Error('A committed check was not found');
    return earlier;
  }
  // The first good check is stored as unchanged, and so is a new reading of the same body.
  countCheck(record.snapshotId !== null && outcome.outcome === 'changed' ? 'changed' : 'unchanged');
  countRows(outcome.totalCount, 'counts' in outcome ? outcome.counts : undefined);
  const forget = (): Promise<void> => forgetBodies(deps, record, [sha256]);
  const { pendingDeliveries } = outcome;
  const deliver = pendingDeliveries === 0 ? null : { checkId: check.id, count: pendingDeliveries };
  const claimed = 'claimed' in outcome ? outcome.claimed : undefined;
  if (deliver === null || claimed === undefined) await forget();
  else keepClaim(deliver, claimed, forget);
  // A check of a stored body does not ask the origin, so a failing origin is still failing.
  const isFailing = !asksOrigin(check.trigger) && record.consecutiveFailures > 0;
  return committed(record, check.nextCheckInMs, {
    words: wordsOf(record, outcome),
    failures: isFailing ? record.consecutiveFailures : 0,
    errorCode: isFailing ? record.lastErrorCode : null,
    deliver,
    isChange: outcome.outcome !== 'unchanged',
  });
}

function wordsOf(
  { snapshotId }: TrackedRecord,
  outcome: Exclude<Conclusion, { outcome: 'already-committed' }>,
): string {
  const total = `${outcome.totalCount} rows`;
  if (outcome.outcome === 'rekeyed') return `Read under another rule: ${total}.`;
  // The first good check is stored as unchanged, so this comes first.
  if (snapshotId === null) return `First check: ${total}.`;
  if (outcome.outcome === 'unchanged') return `Unchanged: ${total}.`;
  const { counts } = outcome;
  return `Changed: ${counts.new} new, ${counts.changed} changed, ${counts.deleted} deleted, ${total} in all.`;
}

/** Commits a check whose body could not be read, and removes the body. */
export async function failCheck(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckStart,
  body: Pick<StoredBody, 'sha256' | 'sizeBytes' | 'urlHash'>,
  error: CheckError,
): Promise<CommittedCheck> {
  const answer = asksOrigin(check.trigger)
    ? await findAnswer(deps.db, { ...body, recordId: record.id })
    : null;
  const { detail, deliver } = await commitProblem(deps, record, body.urlHash, [
    'failed',
    { ...check, bytes: body.sizeBytes, rows: null },
    { code: error.code, detail: error.message, answer },
  ]);
  if (body.sha256 !== record.bodySha256 && body.sha256 !== record.heldSha256) {
    await removeBody(deps, { recordId: record.id, sha256: body.sha256 });
  }
  return committed(record, check.nextCheckInMs, {
    words: `Failed (${error.code}): ${detail}`,
    ...countFailure(record, check.trigger, error.code),
    deliver,
  });
}
