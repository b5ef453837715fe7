// Computes the next step of a record's workflow: when its next check is due, or what comes before it.
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
import type { CheckPlan, PlanResult } from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { settingsHash } from './commit-problem.ts';
import { isBodyUnread } from './record-rule.ts';
import { attributesOf } from './record-attributes.ts';

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

export const planOf = ({ status }: TrackedRecord, inMs: number | null): CheckPlan =>
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
  // No setting that decides about failing has changed, so the wait stays: the origin may have asked for it by Retry-After. That of a
  // held check stays, too.
  if (isBad && failedSettings === settingsHash(record, present)) return untilDueMs;
  if (present !== validatedUrlHash || isBodyUnread(record)) return 0;
  if (isBad) return untilDueMs;
  return Math.max(0, followingCheckInMs(deps, record) - sinceLastCheckMs);
}

/**
 * The time from a check to the one that follows it: the record's interval, or longer if the origin asks for that by Retry-After,
 * or says that its answer stays fresh.
 */
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
