// Records a check that failed on our side, after its activities ran out of retries. commit-problem.ts records the failures of
// origins and bodies.
import { triggerOf } from '../../core/checks.ts';
import { urlHash } from '../../core/crypto/url-hash.ts';
import { CHECK_ERRORS } from '../../core/errors.ts';
import { commitProblemCheck } from '../../db/commit/checks.ts';
import { findRecord } from '../../db/records/records.ts';
import { countCheck } from '../../telemetry/checks.ts';
import type { CommittedCheck, FailedCheckInput } from '../../workflows/contract.ts';
import { followingCheckInMs } from './check-plan.ts';
import { committed, countFailure, noCheck } from './committed-check.ts';
import { findCommitted } from './earlier-attempt.ts';
import { echoTestOf, settingsHash } from './commit-problem.ts';
import type { ActivityDeps } from '../deps.ts';

/** The details of a workflow, which show the reason to operators, hold a few kilobytes. */
const LONGEST_REASON = 500;

/** Commits the check as failed with the code `internal`. The reason is logged; the record's owner does not see it. */
export async function recordFailedCheck(
  deps: ActivityDeps,
  input: FailedCheckInput,
): Promise<CommittedCheck> {
  const record = await findRecord(deps.db, input.recordId);
  const fetchedWith = record === undefined ? '' : urlHash(record.url, record.authVersion);
  const isEcho = record && (await echoTestOf(deps, record, fetchedWith));
  const reason = isEcho?.(input.reason) === false ? input.reason : 'not shown';
  deps.log.error({ recordId: input.recordId, checkId: input.checkId, reason }, 'check gave up');
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
  // The last run of an activity may have committed the check and died before it could answer.
  const earlier = await findCommitted(deps, input);
  if (earlier !== undefined) return earlier;
  const problem = {
    code: 'internal',
    detail: CHECK_ERRORS.internal,
    settings: settingsHash(record, fetchedWith),
  } as const;
  const deliver = await commitProblemCheck(deps.db, 'failed', check, problem);
  countCheck('failed', problem.code);
  return committed(record, nextInMs, {
    words: `Failed (internal): ${reason.slice(0, LONGEST_REASON)}`,
    ...countFailure(record, check.trigger, problem.code),
    deliver,
  });
}
