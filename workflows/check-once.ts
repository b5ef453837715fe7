// One check: fetches the body and, if it is new, compares and commits it. Or a check of a stored body.
import { isCancellation, rootCause, sleep } from '@temporalio/workflow';
import type {
  CheckInput,
  CommittedCheck,
  FetchedCheck,
  FetchInput,
  FetchResult,
  PlanResult,
} from './contract.ts';
import { COMPARE, comparison, FETCH, type withFairnessKey, origin, quick } from './proxies.ts';

type Priority = ReturnType<typeof withFairnessKey>;

/**
 * Failures of the origin are results of the activities. An activity that fails is a fault of ours, and the check is recorded as
 * such. Nothing is committed when another check overtakes this one, or the record is deleted or paused; the result then has the
 * words “No check”, and the plan to go on with.
 */
export async function checkOnce(input: CheckInput, priority: Priority): Promise<CommittedCheck> {
  const startedAtMs = Date.now();
  try {
    // This must stay in this function. Another promise between the fetch and the next command would change the order of
    // commands when first attempts complete in the same workflow task, and old histories would not replay.
    let fetched = await fetchOnce(input, priority);
    while (fetched.kind === 'later') {
      // Records of one origin take turns. Waiting here occupies no worker.
      await sleep(fetched.waitMs, { summary: 'until its turn at the origin' });
      fetched = await fetchOnce({ ...input, hasWaited: true }, priority);
    }
    if (fetched.kind === 'committed') return fetched;
    return await compare(input, fetched, priority);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return quick.recordFailedCheck({ ...input, startedAtMs, reason: rootCause(error) ?? 'unknown' });
  }
}

/** Returns the activity's own promise (see above), as `compare` does. */
const fetchOnce = (input: FetchInput, priority: Priority): Promise<FetchResult> =>
  origin.fetchSource.executeWithOptions({ ...FETCH, ...priority, summary: `fetch (${input.trigger})` }, [
    input,
  ]);

const compare = (
  input: CheckInput,
  { startedAtMs, body }: FetchedCheck,
  priority: Priority,
): Promise<CommittedCheck> =>
  comparison.recordDelta.executeWithOptions(
    { ...COMPARE, ...priority, summary: `compare ${body.sizeBytes} bytes` },
    [{ ...input, startedAtMs, body }],
  );

/** The rest of a check whose body was fetched by a poll. Ends as `checkOnce` does. */
export async function compareOnce(
  input: CheckInput,
  fetched: FetchedCheck,
  priority: Priority,
): Promise<CommittedCheck> {
  try {
    return await compare(input, fetched, priority);
  } catch (error) {
    if (isCancellation(error)) throw error;
    const reason = rootCause(error) ?? 'unknown';
    return quick.recordFailedCheck({ ...input, startedAtMs: fetched.startedAtMs, reason });
  }
}

/** A check of a stored body after a decision of the user. Sends no request to the origin. */
export async function settleOnce(
  input: CheckInput & { trigger: NonNullable<PlanResult['settle']> },
  priority: Priority,
): Promise<CommittedCheck> {
  const startedAtMs = Date.now();
  try {
    const summary = input.trigger === 'settings' ? 'read again under other settings' : 'record what was held';
    const settled = await comparison.settleRecord.executeWithOptions({ ...COMPARE, ...priority, summary }, [
      input,
    ]);
    // There may be more to settle, and the plan says when the next check is due.
    return { ...settled, isPlanStale: true };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const reason = rootCause(error) ?? 'unknown';
    const failed = await quick.recordFailedCheck({ ...input, startedAtMs, reason });
    // Settling is tried again after the next check. Otherwise a failure would block all checks.
    return { ...failed, isPlanStale: false };
  }
}
