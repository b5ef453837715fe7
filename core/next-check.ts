// When a record is looked at again.

const HOUR_MS = 3_600_000;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

export interface NextCheck {
  intervalSeconds: number;
  /** What the origin asked for, if it did. */
  retryAfterMs?: number | null;
  /** A number from 0 to 1 that spreads records over time; 0.5 means no shift. */
  spread: number;
}

/**
 * Milliseconds until the next check: the interval, shifted by up to 5 % either way so that records made
 * together do not come due together, and never sooner than the origin asked (a day at most).
 */
export function nextCheckInMs({ intervalSeconds, retryAfterMs, spread }: NextCheck): number {
  const interval = intervalSeconds * 1_000 * (0.95 + 0.1 * spread);
  return Math.round(Math.max(interval, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}
