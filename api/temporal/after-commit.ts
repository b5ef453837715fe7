// What a request answers whose work is committed already.
import type { FastifyBaseLogger } from 'fastify';
import { API_ERRORS, ApiError } from '../../core/errors.ts';

/**
 * What `read` finds, or the state at the commit if that fails: a failure would release the Idempotency-Key
 * (api/http/idempotency.ts), so that a repeat does the work a second time.
 * @throws ApiError what `read` refuses, such as not_found for what was deleted meanwhile
 */
export async function readAfterCommit<T>(
  log: FastifyBaseLogger,
  committed: T,
  read: () => Promise<T>,
): Promise<T> {
  return read().catch((error: unknown) => {
    if (error instanceof ApiError && API_ERRORS[error.code].status < 500) throw error;
    log.error({ err: error }, 'what a request has committed could not be read');
    return committed;
  });
}
