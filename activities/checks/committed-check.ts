// What a record's workflow is told of a check when it has ended: its next step, attributes and words.
import { asksOrigin, type CheckTrigger } from '../../core/checks.ts';
import type { CheckErrorCode } from '../../core/errors.ts';
import { isRekeyDue } from '../../core/generation.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { CheckPlan, CommittedCheck } from '../../workflows/contract.ts';
import { planOf } from './check-plan.ts';
import { attributesOf } from './record-attributes.ts';

/**
 * The answer when no check is committed: the record is deleted, or was paused before a scheduled check began, or another check
 * overtook this one.
 */
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
