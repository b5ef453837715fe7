// Holding an answer until the work behind it is done.
import { setTimeout as sleep } from 'node:timers/promises';

/** The longer it takes, the more rarely it is asked: thousands may wait, each for a minute. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Of the time that was waited already. */
const PAUSE_PART = 0.2;

interface Waiting {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** How long the caller is willing to wait. */
  waitMs: number;
  /** Aborts when the caller goes away. */
  signal: AbortSignal;
}

/**
 * Asks until there is an answer, the caller's patience ends or the caller goes away.
 * @returns undefined when there was none in time
 */
export async function waitUntil<T>(
  { clock, waitMs, signal }: Waiting,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const beganAt = clock();
  for (;;) {
    const answer = await ask();
    const waitedMs = clock() - beganAt;
    const restMs = waitMs - waitedMs;
    if (answer !== undefined || restMs <= 0 || signal.aborted) return answer;
    await sleep(Math.min(pauseMs(waitedMs), restMs), undefined, { signal }).catch(() => undefined);
  }
}

/** How long to leave it before asking again. */
export const pauseMs = (waitedMs: number): number =>
  Math.min(Math.max(waitedMs * PAUSE_PART, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
