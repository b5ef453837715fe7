// Finds what an earlier attempt of an activity has committed, so that a check is committed once.
import { Context } from '@temporalio/activity';
import { findCheck } from '../../db/check-log.ts';
import { findRecord, readCheckTimes } from '../../db/records/records.ts';
import { findPendingDeliveries } from '../../db/webhooks/deliveries.ts';
import type { CheckInput, CommittedCheck } from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { planOf } from './check-plan.ts';
import { noCheck } from './committed-check.ts';
import { attributesOf } from './record-attributes.ts';

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
