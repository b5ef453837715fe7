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
    const fetched = await fetchInTurn(input);
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

/** Records of one origin take turns there. Who is not up yet waits here, where waiting holds no worker. */
async function fetchInTurn(input: FetchInput): Promise<Exclude<FetchResult, { kind: 'later' }>> {
  const fetched = await origin.fetchSource.executeWithOptions(
    { ...FETCH, summary: `fetch (${input.trigger})` },
    [input],
  );
  if (fetched.kind !== 'later') return fetched;
  await sleep(fetched.waitMs, { summary: 'until its turn at the origin' });
  return fetchInTurn({ ...input, hasWaited: true });
}

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
