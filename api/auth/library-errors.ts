// What the library refuses, told from what failed.
import { ApiError } from '../../core/errors.ts';

/** Whether the library said no, with a status below 500. @param code of the library, for one of its reasons */
export function isRefusal(error: unknown, code?: string): boolean {
  if (!(error instanceof Error) || error.name !== 'APIError') return false;
  // As better-call has it, which may be loaded more than once.
  const { statusCode, body } = error as Error & { statusCode?: number; body?: { code?: string } };
  return (statusCode ?? 500) < 500 && (code === undefined || body?.code === code);
}

export const signedOut = (): ApiError =>
  new ApiError('unauthenticated', 'Nobody is signed in here, or no more.');

/** For a link that was never made as well. */
export const deadLink = (): ApiError =>
  new ApiError('unauthenticated', 'This link has been used already, or is too old. Ask for a new one.');
