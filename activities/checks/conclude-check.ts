// The end of a check whose body was read: what is kept of bodies, and what its workflow hears.
import type { CheckError } from '../../core/errors.ts';
import { asksOrigin, commitProblemCheck } from '../../db/commit/checks.ts';
import type { DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { GenerationOutcome } from '../../db/commit/commit-generation.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { CommittedCheck } from '../../workflows/contract.ts';
import { committed, countFailure } from './check-plan.ts';
import type { CheckHead } from './compare-body.ts';
import type { ActivityDeps } from '../deps.ts';
import { findCommitted } from './earlier-attempt.ts';
import { forgetBodies, removeBody } from './forget-bodies.ts';
import type { StoredBody } from './read-body.ts';

type Conclusion = Exclude<
  DeltaOutcome | GenerationOutcome,
  { outcome: 'sharp-drop' } | { outcome: 'overtaken' }
>;

/** @param sha256 the body that is the accepted one now */
export async function concludeCheck(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckHead,
  sha256: string,
  outcome: Conclusion,
): Promise<CommittedCheck> {
  if (outcome.outcome === 'already-committed') {
    const earlier = await findCommitted(deps, { recordId: record.id, checkId: check.id });
    if (earlier === undefined) throw new Error('A check is there and not there');
    return earlier;
  }
  await forgetBodies(deps, record, [sha256]);
  const { pendingDeliveries } = outcome;
  const deliver = pendingDeliveries === 0 ? null : { checkId: check.id, count: pendingDeliveries };
  // A body that is stored already says nothing of an origin that fails since it came.
  const isFailing = !asksOrigin(check.trigger) && record.consecutiveFailures > 0;
  return committed(record, check.nextCheckInMs, {
    words: wordsOf(record, outcome),
    failures: isFailing ? record.consecutiveFailures : 0,
    errorCode: isFailing ? record.lastErrorCode : null,
    deliver,
  });
}

function wordsOf(
  { snapshotId }: TrackedRecord,
  outcome: Exclude<Conclusion, { outcome: 'already-committed' }>,
): string {
  const total = `${outcome.totalCount} rows`;
  if (outcome.outcome === 'rekeyed') return `Read under another rule: ${total}.`;
  // Before the other: the first good check is stored as unchanged.
  if (snapshotId === null) return `First check: ${total}.`;
  if (outcome.outcome === 'unchanged') return `Unchanged: ${total}.`;
  const { counts } = outcome;
  return `Changed: ${counts.new} new, ${counts.changed} changed, ${counts.deleted} deleted, ${total} in all.`;
}

/** Commits that the body could not be read; it is not kept. */
export async function failCheck(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckHead,
  body: Pick<StoredBody, 'sha256' | 'sizeBytes'>,
  error: CheckError,
): Promise<CommittedCheck> {
  const deliver = await commitProblemCheck(
    deps.db,
    'failed',
    { ...check, bytes: body.sizeBytes, rows: null },
    { code: error.code, detail: error.message },
  );
  if (body.sha256 !== record.bodySha256 && body.sha256 !== record.heldSha256) {
    await removeBody(deps, { recordId: record.id, sha256: body.sha256 });
  }
  return committed(record, check.nextCheckInMs, {
    words: `Failed (${error.code}): ${error.message}`,
    ...countFailure(record, check.trigger, error.code),
    deliver,
  });
}
