// Commits a stored body as what somebody decided wants it: the accepted body under other key or ignored fields, or a held
// one that a person accepted. Nothing is fetched.
import { CheckError } from '../../core/errors.ts';
import { isHeaderInForce, isRekeyDue } from '../../core/generation.ts';
import type { DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { GenerationOutcome } from '../../db/commit/commit-generation.ts';
import { dropHeldBody } from '../../db/records/held-checks.ts';
import { findRecord, readCheckTimes, restoreRule, type TrackedRecord } from '../../db/records/records.ts';
import type { CheckInput, CommittedCheck } from '../../workflows/contract.ts';
import { beginGeneration } from './begin-generation.ts';
import { type CheckDeps, comparingInTurn } from './check-deps.ts';
import { committed, followingCheckInMs, noCheck } from './check-plan.ts';
import { type CheckHead, compareBody } from './compare-body.ts';
import { concludeCheck, failCheck } from './conclude-check.ts';
import type { ActivityDeps } from '../deps.ts';
import { findEarlierAttempt } from './earlier-attempt.ts';
import { heartbeating } from '../heartbeating.ts';
import { acceptedBody, asHeld, type HeldFacts } from './rule-in-force.ts';

/** Idempotent on the check's id. What is to be done, the database says, whatever the input's trigger. */
export const settleRecord = (deps: CheckDeps, input: CheckInput): Promise<CommittedCheck> =>
  comparingInTurn(deps, input.recordId, () => settle(deps, input));

async function settle(deps: ActivityDeps, input: CheckInput): Promise<CommittedCheck> {
  const earlier = await findEarlierAttempt(deps, input);
  if (earlier !== undefined) return earlier;
  const found = await findRecord(deps.db, input.recordId);
  if (found === undefined) return noCheck(found);
  if (found.isHeldAccepted) return acceptHeld(deps, found, input);
  const { nextCheckInMs } = await readCheckTimes(deps.db, found.id);
  if (isRekeyDue(found)) return rekey(deps, found, input, nextCheckInMs);
  const { consecutiveFailures: failures, lastErrorCode: errorCode } = found;
  return committed(found, nextCheckInMs, { words: 'Nothing was left to decide.', failures, errorCode });
}

async function acceptHeld(
  deps: ActivityDeps,
  found: TrackedRecord,
  input: CheckInput,
): Promise<CommittedCheck> {
  // Written by the activity that held the check.
  const body = found.heldBody as HeldFacts;
  const record = asHeld(found, body);
  const check: CheckHead = {
    id: input.checkId,
    recordId: record.id,
    trigger: 'accepted',
    startedAt: new Date(),
    httpStatus: body.httpStatus,
    nextCheckInMs: followingCheckInMs(deps, record),
  };
  try {
    // A later check may have been committed meanwhile: what it held or found is newer.
    const isOvertaken = ({ held }: { held: number | null }): boolean => held === null;
    const heldCheckId = found.heldCheckId ?? '';
    const outcome = await heartbeating<GenerationOutcome | DeltaOutcome>(() =>
      body.isKeyRepeated === true
        ? beginGeneration(deps, record, check, body, heldCheckId)
        : compareBody(deps, record, check, body, isOvertaken),
    );
    if (outcome.outcome === 'sharp-drop' || outcome.outcome === 'overtaken') {
      return await settle(deps, input);
    }
    return await concludeCheck(deps, record, check, body.sha256, outcome);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    const failed = await failCheck(deps, record, check, body, error);
    await dropHeldBody(deps.db, record.id, found.heldCheckId ?? '');
    return failed;
  }
}

async function rekey(
  deps: ActivityDeps,
  found: TrackedRecord,
  input: CheckInput,
  nextCheckInMs: number,
): Promise<CommittedCheck> {
  // How the body is written was found out when it came, whatever the settings say of the next one; unless its header was
  // another line.
  const record = isHeaderInForce(found) ? { ...found, dialectVersion: found.headDialectVersion } : found;
  const body = acceptedBody(found);
  // Not read again when the answer is made: what it was due for is done.
  const settled = { ...record, isRekeyDue: false };
  const check: CheckHead = {
    id: input.checkId,
    recordId: record.id,
    trigger: 'settings',
    startedAt: new Date(),
    httpStatus: null,
    nextCheckInMs,
  };
  try {
    const outcome = await heartbeating(() => beginGeneration(deps, record, check, body));
    if (outcome.outcome === 'overtaken') return await settle(deps, input);
    return await concludeCheck(deps, settled, check, body.sha256, outcome);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    const failed = await failCheck(deps, record, check, body, error);
    // The record is to say under which rule its rows are kept. Should that fail, it is all done again.
    await restoreRule(deps.db, found);
    return failed;
  }
}
