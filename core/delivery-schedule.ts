// When a delivery that failed is tried again.

const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const JITTER = 0.2;

/**
 * Milliseconds until the attempt after attempt number `made` (from 1), or null when that was the last one.
 * Each wait is shifted by up to 20 % either way, so that an endpoint that comes back is not met by all at
 * once; an endpoint that asks for more time gets it, up to a day.
 * @param schedule waits before the second, third, … attempt
 * @param spread a number from 0 to 1; 0.5 means no shift
 */
export function nextAttemptInMs(
  schedule: readonly number[],
  made: number,
  { spread, retryAfterMs = null }: { spread: number; retryAfterMs?: number | null },
): number | null {
  const wait = schedule[made - 1];
  if (wait === undefined) return null;
  const jittered = wait * (1 - JITTER + 2 * JITTER * spread);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}
