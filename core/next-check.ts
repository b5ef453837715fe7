// When a record is checked again.
import { MAX_RETRY_AFTER_MS } from './network/retry-after.ts';

const HOUR_MS = 3_600_000;
/** How much a fresh response may delay a check. */
const MAX_FRESHNESS_DELAY_MS = HOUR_MS;

export interface NextCheck {
  intervalSeconds: number;
  /** From Retry-After, if given. */
  retryAfterMs?: number | null;
  /** How long the response is fresh, if known. */
  freshForMs?: number | null;
  /** A random number from 0 to 1; 0.5 means no jitter. */
  spread: number;
}

/** A longer one counts as a day. */
export const usedRetryAfterMs = (retryAfterMs: number): number =>
  Math.round(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));

/**
 * The wait from one check to the next: the interval with jitter of up to 5 % either way, so that records that were created
 * together spread out. Retry-After delays it, by a day at most. A response that is fresh for longer than the interval delays
 * it by at most another interval, and at most an hour.
 */
export function waitAfterCheckMs({ intervalSeconds, retryAfterMs, freshForMs, spread }: NextCheck): number {
  const intervalMs = intervalSeconds * 1_000;
  const latestMs = intervalMs + Math.min(intervalMs, MAX_FRESHNESS_DELAY_MS);
  return Math.round(
    Math.max(
      intervalMs * (0.95 + 0.1 * spread),
      Math.min(freshForMs ?? 0, latestMs),
      usedRetryAfterMs(retryAfterMs ?? 0),
    ),
  );
}
