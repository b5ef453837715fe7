// A check that an earlier run of its activity has committed, as the run after it tells of it.
import { Context } from '@temporalio/activity';
import { findCheck } from '../../db/commit/checks.ts';
import { findPendingDeliveries } from '../../db/webhooks/deliveries.ts';
import { findRecord, readCheckTimes } from '../../db/records/records.ts';
import type { CheckInput, CommittedCheck } from '../../workflows/contract.ts';
import { attributesOf, noCheck, planOf } from './check-plan.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * The check as it stands in the database: for a run whose worker died before it could say what it had committed.
 * What waits to be delivered is part of it.
 * @returns undefined when the check is not there and its record is
 */
export async function findCommitted(
  { db }: ActivityDeps,
  { recordId, checkId }: Pick<CheckInput, 'recordId' | 'checkId'>,
): Promise<CommittedCheck | undefined> {
  const record = await findRecord(db, recordId);
  if (record === undefined) return noCheck(record);
  const check = await findCheck(db, checkId);
  if (check === undefined) return undefined;
  return {
    kind: 'committed',
    plan: planOf(record, (await readCheckTimes(db, recordId)).nextCheckInMs),
    attributes: attributesOf(record),
    words: `Committed by an earlier attempt: ${check.errorDetail ?? check.outcome}.`,
    deliver: await findPendingDeliveries(db, checkId),
  };
}

/** Asked before the work is done again; a first run need not ask. */
export async function findEarlierAttempt(
  deps: ActivityDeps,
  input: CheckInput,
): Promise<CommittedCheck | undefined> {
  return Context.current().info.attempt === 1 ? undefined : await findCommitted(deps, input);
}
