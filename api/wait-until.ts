// Holding an answer until the work behind it is done.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from './context.ts';

const POLL_MS = 100;

/**
 * Asks until there is an answer, the caller's patience ends or the caller goes away.
 * @returns undefined when there was none in time
 */
export async function waitUntil<T>(
  { clock, waitMs, signal }: Pick<Context, 'clock' | 'waitMs' | 'signal'>,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = clock() + waitMs;
  for (;;) {
    const answer = await ask();
    const restMs = deadline - clock();
    if (answer !== undefined || restMs <= 0 || signal.aborted) return answer;
    await sleep(Math.min(POLL_MS, restMs), undefined, { signal }).catch(() => undefined);
  }
}
