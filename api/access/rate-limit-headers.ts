// Tells callers where they stand: the fields of draft-ietf-httpapi-ratelimit-headers-10, and those that most clients read.
import { ApiError } from '../../core/errors.ts';
import { type Allowance, WINDOW_SECONDS } from './rate-limit.ts';

/** @param nowMs since the epoch: X-RateLimit-Reset is a time, as GitHub has it; `t` is a number of seconds */
export function rateLimitHeaders(allowance: Allowance, nowMs: number): Record<string, string> {
  const { policy, limit, remaining, resetMs } = allowance;
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((nowMs + resetMs) / 1_000)),
  };
}

/** @throws ApiError rate_limited when this request was one too many */
export function requireAllowance({ policy, limit, resetMs, isExceeded }: Allowance): void {
  if (!isExceeded) return;
  throw new ApiError('rate_limited', `This ${policy} may send ${limit} requests a minute.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1_000)),
  });
}
