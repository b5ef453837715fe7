// Computes the next step of a record's workflow, and the summary of a committed check that it gets.
import { hash } from 'node:crypto';
import type { CheckTrigger } from '../../core/checks.ts';
import type { CheckErrorCode } from '../../core/errors.ts';
import { urlHash } from '../../core/crypto/url-hash.ts';
import { isRekeyDue } from '../../core/generation.ts';
import { smallestIntervalSeconds } from '../../core/tiers.ts';
import { type NextCheck, waitAfterCheckMs } from '../../core/next-check.ts';
import {
  type CheckTimes,
  findRecord,
  readCheckTimes,
  setNextCheck,
  type TrackedRecord,
} from '../../db/records/records.ts';
import { endSessionInTime } from '../../db/access/ephemeral-sessions.ts';
import type {
  CheckInput,
  CheckPlan,
  CommittedCheck,
  PlanResult,
  RecordAttributes,
} from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { fairnessKeyOf } from './check-deps.ts';
import { settingsHash } from './commit-problem.ts';
import { isBodyUnread } from './read-body.ts';
import { Context } from '@temporalio/activity';
import { asksOrigin } from '../../core/checks.ts';
import { findCheck } from '../../db/check-log.ts';
import { findPendingDeliveries } from '../../db/webhooks/deliveries.ts';

/**
 * The plan for the record's current state. The workflow asks for it at its start, after every signal, and when a session's
 * time is over. A session ends by the database's clock; its record is deleted here.
 * Writes the time of the next check to the record's head, for readers and for reconciling. A change of settings leaves that
 * to this function, so that it never waits for a commit that has locked the head.
 */
export async function planCheck(deps: ActivityDeps, recordId: string): Promise<PlanResult> {
  const times = await readCheckTimes(deps.db, recordId);
  const record = await findRecord(deps.db, recordId);
  if (record === undefined) return GONE;
  if (times.sessionEndsInMs === 0 && (await endSessionInTime(deps.db, record.id))) return GONE;
  const inMs = record.status === 'paused' ? null : dueInMs(deps, record, times);
  // A check that was committed meanwhile has planned the next one.
  if (!(await setNextCheck(deps.db, record.id, inMs, times.checkNumber))) return planCheck(deps, recordId);
  const { sessionEndsInMs } = times;
  const settle = settlementOf(record);
  return {
    plan: planOf(record, inMs),
    attributes: attributesOf(record),
    // Rounded up, because a timer that fires early only asks again.
    endsInMs: sessionEndsInMs === null ? null : Math.ceil(sessionEndsInMs),
    ...(settle === null ? {} : { settle }),
  };
}

/** The stored body that must be committed before the next check. */
function settlementOf(record: TrackedRecord): NonNullable<PlanResult['settle']> | null {
  if (record.isHeldAccepted) return 'accepted';
  return isRekeyDue(record) ? 'settings' : null;
}

const GONE: PlanResult = { plan: { kind: 'deleted' }, attributes: null };

const planOf = ({ status }: TrackedRecord, inMs: number | null): CheckPlan =>
  status === 'paused' || inMs === null ? { kind: 'paused' } : { kind: 'check', inMs };

function dueInMs(
  deps: ActivityDeps,
  record: TrackedRecord,
  { untilDueMs, sinceLastCheckMs }: CheckTimes,
): number {
  const { url, authVersion, validatedUrlHash, lastOutcome, failedSettings } = record;
  // A check that is due stays due under a new interval, for example after a resume.
  if (untilDueMs === 0 || sinceLastCheckMs === null) return untilDueMs;
  const present = urlHash(url, authVersion);
  const isBad = lastOutcome === 'failed' || lastOutcome === 'held';
  // Retry-After and the wait of a held check also apply under a new interval.
  if (isBad && failedSettings === settingsHash(record, present)) return untilDueMs;
  if (present !== validatedUrlHash || isBodyUnread(record)) return 0;
  if (isBad) return untilDueMs;
  return Math.max(0, followingCheckInMs(deps, record) - sinceLastCheckMs);
}

/** Milliseconds until the check after this one. Respects Retry-After and the freshness that the origin gave. */
export function followingCheckInMs(
  { config }: ActivityDeps,
  record: TrackedRecord,
  hints: Pick<NextCheck, 'retryAfterMs' | 'freshForMs'> = {},
): number {
  const intervalSeconds = Math.max(
    record.checkIntervalSeconds,
    smallestIntervalSeconds(record.tier, config.minCheckSeconds),
  );
  return waitAfterCheckMs({ intervalSeconds, ...hints, spread: Math.random() });
}

/** The answer when nothing was checked: the record is deleted, or was paused before a scheduled check began. */
export function noCheck(record: TrackedRecord | undefined): CommittedCheck {
  const plan: CheckPlan = record === undefined ? { kind: 'deleted' } : { kind: 'paused' };
  return { kind: 'committed', plan, attributes: null, words: 'No check: paused or deleted.', deliver: null };
}

/** A committed check, for its workflow. @param record as it was read before the check */
export function committed(
  record: TrackedRecord & { isRekeyDue?: boolean },
  nextInMs: number,
  {
    words,
    failures = 0,
    errorCode = null,
    deliver = null,
    isChange = false,
  }: {
    words: string;
    failures?: number;
    errorCode?: CheckErrorCode | null;
    deliver?: CommittedCheck['deliver'];
    isChange?: boolean;
  },
): CommittedCheck {
  const attributes = attributesOf({ ...record, consecutiveFailures: failures, lastErrorCode: errorCode });
  const plan = planOf(record, nextInMs);
  // A decision during the check may have had no workflow to signal.
  const isPlanStale = record.isHeldAccepted || (record.isRekeyDue ?? isRekeyDue(record));
  return {
    kind: 'committed',
    plan,
    attributes,
    words,
    deliver,
    ...(isPlanStale && { isPlanStale }),
    ...(isChange && { isChange }),
  };
}

/** The state of a record after a failed check. A stored body that cannot be read does not hide the error of a failing origin. */
export function countFailure(
  { consecutiveFailures, lastErrorCode }: TrackedRecord,
  trigger: CheckTrigger,
  errorCode: CheckErrorCode,
): { failures: number; errorCode: CheckErrorCode | null } {
  if (asksOrigin(trigger)) return { failures: consecutiveFailures + 1, errorCode };
  return { failures: consecutiveFailures, errorCode: consecutiveFailures > 0 ? lastErrorCode : errorCode };
}

/** The first scheduled check of a record has the trigger `created`. */
export function triggerOf(record: TrackedRecord, { trigger }: CheckInput): CheckTrigger {
  return trigger === 'schedule' && record.lastCheckedAt === null ? 'created' : trigger;
}

export function attributesOf(
  record: Pick<
    TrackedRecord,
    'status' | 'accountId' | 'slug' | 'url' | 'consecutiveFailures' | 'lastErrorCode' | 'tier'
  >,
): RecordAttributes {
  const { accountId, slug, consecutiveFailures, lastErrorCode: errorCode } = record;
  const status = record.status === 'active' && consecutiveFailures > 0 ? 'failing' : record.status;
  const originHost = new URL(record.url).host;
  return {
    status,
    accountId,
    slug,
    consecutiveFailures,
    errorCode,
    originHost,
    share: fairnessHashOf(record),
  };
}

/** A hash, because Temporal keeps the key unsealed. */
const fairnessHashOf = (record: Pick<TrackedRecord, 'tier' | 'accountId'>): string =>
  hash('sha256', fairnessKeyOf(record), 'base64url');

/**
 * The check, if an earlier run of the activity committed it and its worker died before it could answer. Includes its
 * pending deliveries.
 * @returns undefined when the check is not committed and the record exists
 */
export async function findCommitted(
  { db }: ActivityDeps,
  { recordId, checkId }: Pick<CheckInput, 'recordId' | 'checkId'>,
): Promise<CommittedCheck | undefined> {
  const record = await findRecord(db, recordId);
  if (record === undefined) return noCheck(record);
  const check = await findCheck(db, recordId, checkId);
  if (check === undefined) return undefined;
  return {
    kind: 'committed',
    plan: planOf(record, (await readCheckTimes(db, recordId)).untilDueMs),
    attributes: attributesOf(record),
    words: `Committed by an earlier attempt: ${check.errorDetail ?? check.outcome}.`,
    deliver: await findPendingDeliveries(db, checkId),
  };
}

/** Like `findCommitted`, but costs no query on the first run of an activity. */
export async function findEarlierAttempt(
  deps: ActivityDeps,
  input: CheckInput,
): Promise<CommittedCheck | undefined> {
  return Context.current().info.attempt === 1 ? undefined : await findCommitted(deps, input);
}
