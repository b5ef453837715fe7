// When a record is looked at again.

const HOUR_MS = 3_600_000;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
/** How much later than asked for a check may come because its origin expects no change. */
const MAX_FRESHNESS_DELAY_MS = HOUR_MS;

export interface NextCheck {
  intervalSeconds: number;
  /** What the origin asked for, if it did. */
  retryAfterMs?: number | null;
  /** For how long the origin expects no change, if it said so. */
  freshForMs?: number | null;
  /** A number from 0 to 1 that spreads records over time; 0.5 means no shift. */
  spread: number;
}

/**
 * Milliseconds until the next check: the interval, shifted by up to 5 % either way so that records made
 * together do not come due together, and never sooner than the origin asked (a day at most). An answer that is fresh for
 * longer than the interval is waited out, but for no more than a second interval, and no more than an hour.
 */
export function nextCheckInMs({ intervalSeconds, retryAfterMs, freshForMs, spread }: NextCheck): number {
  const intervalMs = intervalSeconds * 1_000;
  const latestMs = intervalMs + Math.min(intervalMs, MAX_FRESHNESS_DELAY_MS);
  return Math.round(
    Math.max(
      intervalMs * (0.95 + 0.1 * spread),
      Math.min(freshForMs ?? 0, latestMs),
      Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS),
    ),
  );
}
