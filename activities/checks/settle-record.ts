// Commits a stored body after a decision of the user: the accepted body under a new rule, or a held body that was accepted.
// Sends no request to the origin.
import { CheckError } from '../../core/errors.ts';
import { isRekeyDue } from '../../core/generation.ts';
import type { DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { CheckStart } from '../../db/commit/commit-facts.ts';
import type { GenerationOutcome } from '../../db/commit/commit-generation.ts';
import type { Database } from '../../db/driver/knex.ts';
import { dropHeldBody } from '../../db/records/held-checks.ts';
import { findRecord, readCheckTimes, type TrackedRecord } from '../../db/records/records.ts';
import { restoreRule } from '../../db/records/restore-rule.ts';
import type { CheckInput, CommittedCheck } from '../../workflows/contract.ts';
import { beginGeneration } from './begin-generation.ts';
import { type CheckDeps, withComparisonSlot } from './check-deps.ts';
import { committed, noCheck } from './committed-check.ts';
import { findEarlierAttempt } from './earlier-attempt.ts';
import { compareBody, concludeCheck, failCheck } from './record-delta.ts';
import type { ActivityDeps } from '../deps.ts';
import { heartbeating } from '../heartbeating.ts';
import { acceptedBody, withHeldRule, type HeldFacts } from './record-rule.ts';
import { withDialectToReread } from './reread-dialect.ts';

/** Idempotent on the check's id. Reads from the database what must be settled, and ignores the input's trigger. */
export const settleRecord = (deps: CheckDeps, input: CheckInput): Promise<CommittedCheck> =>
  withComparisonSlot(deps, input.recordId, () => settle(deps, input));

async function settle(deps: ActivityDeps, input: CheckInput): Promise<CommittedCheck> {
  const earlier = await findEarlierAttempt(deps, input);
  if (earlier !== undefined) return earlier;
  const found = await findRecord(deps.db, input.recordId);
  if (found === undefined) return noCheck(found);
  const { untilDueMs } = await readCheckTimes(deps.db, found.id);
  if (found.isHeldAccepted) return acceptHeld(deps, found, input, untilDueMs);
  if (isRekeyDue(found)) return rekey(deps, found, input, untilDueMs);
  const { consecutiveFailures: failures, lastErrorCode: errorCode } = found;
  return committed(found, untilDueMs, { words: 'Nothing was left to decide.', failures, errorCode });
}

async function acceptHeld(
  deps: ActivityDeps,
  found: TrackedRecord,
  input: CheckInput,
  untilDueMs: number,
): Promise<CommittedCheck> {
  // The column is JSON; hold-check.ts writes it.
  const body = found.heldBody as HeldFacts;
  const record = withHeldRule(found, body);
  const check: CheckStart = {
    id: input.checkId,
    recordId: record.id,
    trigger: 'accepted',
    startedAt: new Date(),
    httpStatus: body.httpStatus,
    nextCheckInMs: untilDueMs,
  };
  try {
    // A later check may have been committed meanwhile, and its body is newer.
    const isDecided = ({ held }: { held: number | null }): boolean => held === null;
    const heldCheckId = found.heldCheckId ?? '';
    const outcome = await heartbeating<GenerationOutcome | DeltaOutcome>(() =>
      body.isKeyRepeated === true
        ? beginGeneration(deps, record, check, body, heldCheckId)
        : compareBody(deps, record, check, body, { isSharpDrop: isDecided }),
    );
    if (outcome.outcome === 'sharp-drop' || outcome.outcome === 'overtaken') {
      return await settle(deps, input);
    }
    return await concludeCheck(deps, record, check, body.sha256, outcome);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    return await failAndEnd(deps, [record, check, body, error], (db) =>
      dropHeldBody(db, record.id, found.heldCheckId ?? ''),
    );
  }
}

async function rekey(
  deps: ActivityDeps,
  found: TrackedRecord,
  input: CheckInput,
  untilDueMs: number,
): Promise<CommittedCheck> {
  const record = await heartbeating(() => withDialectToReread(deps, found));
  const body = acceptedBody(found);
  // The record is not read again, so clear what this check has done.
  const settled = { ...record, isRekeyDue: false };
  const check: CheckStart = {
    id: input.checkId,
    recordId: record.id,
    trigger: 'settings',
    startedAt: new Date(),
    httpStatus: null,
    nextCheckInMs: untilDueMs,
  };
  try {
    const outcome = await heartbeating(() => beginGeneration(deps, record, check, body));
    if (outcome.outcome === 'overtaken') return await settle(deps, input);
    return await concludeCheck(deps, settled, check, body.sha256, outcome);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    // The record must show the rule of its stored rows.
    return await failAndEnd(deps, [record, check, body, error], (db) => restoreRule(db, found));
  }
}

/** Commits a failed check and ends what it could not settle, or neither: the check is not made twice. */
const failAndEnd = (
  deps: ActivityDeps,
  [record, check, body, error]: [TrackedRecord, CheckStart, Parameters<typeof failCheck>[3], CheckError],
  end: (db: Database) => Promise<void>,
): Promise<CommittedCheck> =>
  deps.db.transaction(async (trx) => {
    const failed = await failCheck({ ...deps, db: trx }, record, check, body, error);
    await end(trx);
    return failed;
  });
