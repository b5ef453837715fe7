// Tells refusals of the sign-in library from failures.
import { ApiError } from '../../core/errors.ts';

/**
 * Whether the library refused the call (a status below 500).
 * @param code a specific reason of the library
 */
export function isRefusal(error: unknown, code?: string): boolean {
  if (!(error instanceof Error) || error.name !== 'APIError') return false;
  // As in better-call, which may be loaded more than once, so instanceof does not work.
  const { statusCode, body } = error as Error & { statusCode?: number; body?: { code?: string } };
  return (statusCode ?? 500) < 500 && (code === undefined || body?.code === code);
}

export const signedOut = (): ApiError =>
  new ApiError('unauthenticated', 'Nobody is signed in here, or the session has ended.');

/** Also for a link that never existed. */
export const deadLink = (): ApiError =>
  new ApiError('unauthenticated', 'This link was used already or has expired. Request a new one.');
