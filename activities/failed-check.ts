// The end of a check that failed on our side: its activities gave up.
import { CHECK_ERRORS } from '../core/errors.ts';
import { commitProblemCheck } from '../db/checks.ts';
import { findRecord } from '../db/records.ts';
import type { CommittedCheck, FailedCheckInput } from '../workflows/contract.ts';
import { committed, followingCheckInMs, noCheck, triggerOf } from './check-plan.ts';
import type { ActivityDeps } from './deps.ts';

/** Commits the check as failed with code `internal`; the reason goes to the log, not to the record's owner. */
export async function recordFailedCheck(
  deps: ActivityDeps,
  input: FailedCheckInput,
): Promise<CommittedCheck> {
  deps.log.error({ recordId: input.recordId, checkId: input.checkId, reason: input.reason }, 'check gave up');
  const record = await findRecord(deps.db, input.recordId);
  if (record === undefined) return noCheck(record);
  const nextInMs = followingCheckInMs(deps, record);
  const check = {
    id: input.checkId,
    recordId: record.id,
    trigger: triggerOf(record, input),
    startedAt: new Date(input.startedAtMs),
    httpStatus: null,
    bytes: null,
    rows: null,
    nextCheckInMs: nextInMs,
  };
  await commitProblemCheck(deps.db, 'failed', check, { code: 'internal', detail: CHECK_ERRORS.internal });
  return committed(record, nextInMs, {
    words: `Failed (internal): ${input.reason}`,
    failures: record.consecutiveFailures + 1,
  });
}
