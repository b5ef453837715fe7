// Delays a response until the work behind it is done.
import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses grow with the time waited, because thousands of callers may wait a minute each. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Relative to the time waited so far. */
const PAUSE_PART = 0.2;

interface Waiting {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** How long the caller waits. */
  waitMs: number;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
}

/**
 * Polls until there is a result, the caller's wait ends or the caller disconnects.
 * @returns undefined if there was no result in time
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

/** How long to wait before polling again. */
export const pauseMs = (waitedMs: number): number =>
  Math.min(Math.max(waitedMs * PAUSE_PART, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
