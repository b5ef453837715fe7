// Retry-After: how long an origin or an endpoint asks us to wait.
import { deltaSecondsMs, parseHttpDate } from '../http-caching.ts';

/** A longer wait counts as this one. */
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** Reads Retry-After (RFC 9110 10.2.3). @returns milliseconds from now; undefined when the header is missing or invalid */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return deltaSecondsMs(text);
  // Date.parse alone would accept "-5" or "1.5" as a year.
  const time = parseHttpDate(text) ?? (/^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN);
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs);
}
