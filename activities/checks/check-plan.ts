// From a record as it stands to what its workflow does next.
import type { CheckTrigger } from '../../core/checks.ts';
import type { CheckErrorCode } from '../../core/errors.ts';
import { urlHash } from '../../core/crypto/url-hash.ts';
import { isRekeyDue } from '../../core/generation.ts';
import { smallestIntervalSeconds } from '../../core/tiers.ts';
import { type NextCheck, nextCheckInMs } from '../../core/next-check.ts';
import { asksOrigin } from '../../db/commit/checks.ts';
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
import { isBodyUnread } from './rule-in-force.ts';

/**
 * The plan that follows from the record as it stands: asked for at a workflow's start, after every signal, and when a
 * session's time is over. Whether it is, the database's clock decides; the record is deleted then.
 * Writes the time where readers and reconciling see it; the API leaves that to here, so that changing a
 * record's settings never waits for a commit that holds its head.
 */
export async function planCheck(deps: ActivityDeps, recordId: string): Promise<PlanResult> {
  const record = await findRecord(deps.db, recordId);
  if (record === undefined) return GONE;
  const times = await readCheckTimes(deps.db, record.id);
  if (times.sessionEndsInMs === 0 && (await endSessionInTime(deps.db, record.id))) return GONE;
  const inMs = record.status === 'paused' ? null : dueInMs(deps, record, times);
  await setNextCheck(deps.db, record.id, inMs);
  const { sessionEndsInMs } = times;
  const settle = settlementOf(record);
  return {
    plan: planOf(record, inMs),
    attributes: attributesOf(record),
    // Rounded up: a timer that is early by a fraction would only ask again.
    endsInMs: sessionEndsInMs === null ? null : Math.ceil(sessionEndsInMs),
    ...(settle === null ? {} : { settle }),
  };
}

/** What is to be done with a stored body before anything else. */
function settlementOf(record: TrackedRecord): NonNullable<PlanResult['settle']> | null {
  if (record.isHeldAccepted) return 'accepted';
  return isRekeyDue(record) ? 'settings' : null;
}

const GONE: PlanResult = { plan: { kind: 'deleted' }, attributes: null };

export const planOf = ({ status }: TrackedRecord, inMs: number | null): CheckPlan =>
  status === 'paused' || inMs === null ? { kind: 'paused' } : { kind: 'check', inMs };

function dueInMs(
  deps: ActivityDeps,
  record: TrackedRecord,
  { nextCheckInMs, sinceLastCheckMs }: CheckTimes,
): number {
  const { url, authVersion, validatedUrlHash, lastOutcome } = record;
  // What is due stays due, whatever the interval: a record that was resumed is.
  if (nextCheckInMs === 0 || sinceLastCheckMs === null) return nextCheckInMs;
  if (urlHash(url, authVersion) !== validatedUrlHash || isBodyUnread(record)) return 0;
  // What the origin asked for, or the wait of a held check, stands also under a new interval.
  if (lastOutcome === 'failed' || lastOutcome === 'held') return nextCheckInMs;
  return Math.max(0, followingCheckInMs(deps, record) - sinceLastCheckMs);
}

/** How long until the check after this one; an origin that asked for time, or expects no change, gets it. */
export function followingCheckInMs(
  { config }: ActivityDeps,
  record: TrackedRecord,
  hints: Pick<NextCheck, 'retryAfterMs' | 'freshForMs'> = {},
): number {
  const intervalSeconds = Math.max(
    record.checkIntervalSeconds,
    smallestIntervalSeconds(record.tier, config.minCheckSeconds),
  );
  return nextCheckInMs({ intervalSeconds, ...hints, spread: Math.random() });
}

/** For a record that is gone, or paused before a scheduled check began: nothing was checked. */
export function noCheck(record: TrackedRecord | undefined): CommittedCheck {
  const plan: CheckPlan = record === undefined ? { kind: 'deleted' } : { kind: 'paused' };
  return { kind: 'committed', plan, attributes: null, words: 'No check: paused or deleted.', deliver: null };
}

/** A committed check as its workflow hears of it. The record is the one read before the check. */
export function committed(
  record: TrackedRecord & { isRekeyDue?: boolean },
  nextInMs: number,
  {
    words,
    failures = 0,
    errorCode = null,
    deliver = null,
  }: {
    words: string;
    failures?: number;
    errorCode?: CheckErrorCode | null;
    deliver?: CommittedCheck['deliver'];
  },
): CommittedCheck {
  const attributes = attributesOf({ ...record, consecutiveFailures: failures, lastErrorCode: errorCode });
  const plan = planOf(record, nextInMs);
  // Somebody decided in the middle of the check, and the signal may be lost.
  const isPlanStale = record.isHeldAccepted || (record.isRekeyDue ?? isRekeyDue(record));
  const answer = { kind: 'committed', plan, attributes, words, deliver } as const;
  return isPlanStale ? { ...answer, isPlanStale } : answer;
}

/** What a failed check adds to a record: a stored body that cannot be read is no news of an origin that fails. */
export function countFailure(
  { consecutiveFailures, lastErrorCode }: TrackedRecord,
  trigger: CheckTrigger,
  errorCode: CheckErrorCode,
): { failures: number; errorCode: CheckErrorCode | null } {
  if (asksOrigin(trigger)) return { failures: consecutiveFailures + 1, errorCode };
  return { failures: consecutiveFailures, errorCode: consecutiveFailures > 0 ? lastErrorCode : errorCode };
}

/** A record's first scheduled check is the one that its creation asked for. */
export function triggerOf(record: TrackedRecord, { trigger }: CheckInput): CheckTrigger {
  return trigger === 'schedule' && record.lastCheckedAt === null ? 'created' : trigger;
}

export function attributesOf(
  record: Pick<
    TrackedRecord,
    'status' | 'accountId' | 'slug' | 'url' | 'consecutiveFailures' | 'lastErrorCode'
  >,
): RecordAttributes {
  const { accountId, slug, consecutiveFailures, lastErrorCode: errorCode } = record;
  const status = record.status === 'active' && consecutiveFailures > 0 ? 'failing' : record.status;
  return { status, accountId, slug, consecutiveFailures, errorCode, originHost: new URL(record.url).host };
}
