// Tokens and codes that do not work are limited by address. Those that work never are: all users of a hosted client come
// from its addresses.
import type { KoaContextWithOIDC } from 'oidc-provider';
import { API_ERRORS, ApiError } from '../../core/errors.ts';
import { callerAddress } from '../../core/network/caller-address.ts';
import { problemOf } from '../contract/errors.ts';
import type { RateLimits } from '../access/rate-limit.ts';

/** Looks a token, a code or a client up: a few at a time for an address of which many did not work. */
export async function lookUpFor<T>(
  ctx: KoaContextWithOIDC | undefined,
  rateLimits: RateLimits,
  look: () => Promise<T>,
): Promise<T> {
  // Not on behalf of a request to the library.
  if (ctx === undefined) return look();
  const end = await rateLimits.beginLookUp(callerAddress(ctx.ip));
  try {
    return await look();
  } finally {
    end();
  }
}

/** For these paths of the library. */
export function limitFailures(paths: readonly string[], rateLimits: RateLimits, baseUrl: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    if (!paths.includes(ctx.path) || ctx.status < 400 || ctx.status >= 500) return;
    try {
      await rateLimits.countFailure(callerAddress(ctx.ip));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ctx.status = API_ERRORS[error.code].status;
      ctx.set('retry-after', String(Math.ceil(error.retryAfterSeconds ?? 1)));
      ctx.body = problemOf(error, ctx.response.get('x-request-id'), baseUrl);
      ctx.type = 'application/problem+json; charset=utf-8';
    }
  };
}
