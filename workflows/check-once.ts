// One check: fetch, and where the body is a new one, compare and commit; or one of a body that is stored already.
import { isCancellation, rootCause, sleep } from '@temporalio/workflow';
import type { CheckInput, CommittedCheck, FetchInput, FetchResult, PlanResult } from './contract.ts';
import { COMPARE, comparison, FETCH, origin, quick } from './proxies.ts';

/**
 * Always ends with a committed check. What the origin does wrong is a result of the activities; what fails
 * here is on our side, and is recorded as such.
 */
export async function checkOnce(input: CheckInput): Promise<CommittedCheck> {
  const startedAtMs = Date.now();
  try {
    // In this function, not in one of its own: one more promise between the fetch and the next command would swap that
    // command with one of first attempts that complete in the same workflow task, and old histories would not replay.
    let fetched = await fetchOnce(input);
    while (fetched.kind === 'later') {
      // Records of one origin take turns there. Waiting here holds no worker.
      await sleep(fetched.waitMs, { summary: 'until its turn at the origin' });
      fetched = await fetchOnce({ ...input, hasWaited: true });
    }
    if (fetched.kind === 'committed') return fetched;
    const summary = `compare ${fetched.body.sizeBytes} bytes`;
    return await comparison.recordDelta.executeWithOptions({ ...COMPARE, summary }, [
      { ...input, startedAtMs: fetched.startedAtMs, body: fetched.body },
    ]);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return quick.recordFailedCheck({ ...input, startedAtMs, reason: rootCause(error) ?? 'unknown' });
  }
}

/** Hands on the activity's own promise. */
const fetchOnce = (input: FetchInput): Promise<FetchResult> =>
  origin.fetchSource.executeWithOptions({ ...FETCH, summary: `fetch (${input.trigger})` }, [input]);

/** A check of a stored body, as what was decided wants it: nothing is fetched. */
export async function settleOnce(
  input: CheckInput & { trigger: NonNullable<PlanResult['settle']> },
): Promise<CommittedCheck> {
  const startedAtMs = Date.now();
  try {
    const summary = input.trigger === 'settings' ? 'read again under other settings' : 'record what was held';
    const settled = await comparison.settleRecord.executeWithOptions({ ...COMPARE, summary }, [input]);
    // There may be more to settle, and when the next check is due is for the plan to say.
    return { ...settled, isPlanStale: true };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const reason = rootCause(error) ?? 'unknown';
    const failed = await quick.recordFailedCheck({ ...input, startedAtMs, reason });
    // What is still to be settled is tried again after the next check: else checks would wait for it for ever.
    return { ...failed, isPlanStale: false };
  }
}
