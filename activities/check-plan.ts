// From a record as it stands to what its workflow does next.
import type { CheckTrigger } from '../core/checks.ts';
import { TIERS } from '../core/tiers.ts';
import { nextCheckInMs } from '../core/next-check.ts';
import type { TrackedRecord } from '../db/records.ts';
import { findRecord } from '../db/records.ts';
import type {
  CheckInput,
  CheckPlan,
  CommittedCheck,
  PlanResult,
  RecordAttributes,
} from '../workflows/contract.ts';
import type { ActivityDeps } from './deps.ts';

/** The plan that Postgres holds: read at a workflow's start and after every signal. */
export async function planCheck({ db }: ActivityDeps, recordId: string): Promise<PlanResult> {
  const record = await findRecord(db, recordId);
  if (record === undefined) return { plan: { kind: 'deleted' }, attributes: null };
  return { plan: planOf(record), attributes: attributesOf(record) };
}

function planOf({ status, nextCheckAt }: TrackedRecord): CheckPlan {
  if (status === 'paused') return { kind: 'paused' };
  return { kind: 'check', inMs: Math.max(0, (nextCheckAt?.getTime() ?? 0) - Date.now()) };
}

/** How long until the check after this one; an origin that asked for time gets it. */
export function followingCheckInMs(
  { config }: ActivityDeps,
  record: TrackedRecord,
  retryAfterMs: number | null = null,
): number {
  const { minIntervalSeconds } = TIERS[record.tier];
  const floor =
    config.minCheckSeconds > 0 ? Math.min(config.minCheckSeconds, minIntervalSeconds) : minIntervalSeconds;
  const intervalSeconds = Math.max(record.checkIntervalSeconds, floor);
  return nextCheckInMs({ intervalSeconds, retryAfterMs, spread: Math.random() });
}

/** For a record that is gone, or paused before a scheduled check began: nothing was checked. */
export function noCheck(record: TrackedRecord | undefined): CommittedCheck {
  const plan: CheckPlan = record === undefined ? { kind: 'deleted' } : { kind: 'paused' };
  return { kind: 'committed', plan, attributes: null, words: 'No check: paused or deleted.', deliver: null };
}

/** A committed check as its workflow hears of it. The record is the one read before the check. */
export function committed(
  record: TrackedRecord,
  nextInMs: number,
  {
    words,
    failures = 0,
    deliver = null,
  }: { words: string; failures?: number; deliver?: CommittedCheck['deliver'] },
): CommittedCheck {
  const attributes = attributesOf({ ...record, consecutiveFailures: failures });
  return { kind: 'committed', plan: { kind: 'check', inMs: nextInMs }, attributes, words, deliver };
}

/** A record's first scheduled check is the one that its creation asked for. */
export function triggerOf(record: TrackedRecord, { trigger }: CheckInput): CheckTrigger {
  return trigger === 'schedule' && record.lastCheckedAt === null ? 'created' : trigger;
}

function attributesOf(
  record: Pick<TrackedRecord, 'status' | 'accountId' | 'slug' | 'url' | 'consecutiveFailures'>,
): RecordAttributes {
  const { accountId, slug, consecutiveFailures } = record;
  const status = record.status === 'active' && consecutiveFailures > 0 ? 'failing' : record.status;
  return { status, accountId, slug, consecutiveFailures, originHost: new URL(record.url).host };
}
