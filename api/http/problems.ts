// Sends problem documents with the headers of their status, and logs failures of the service.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../core/errors.ts';
import { problemOf } from '../contract/errors.ts';

/** When a dependency such as the database is unavailable. */
const UNAVAILABLE_SECONDS = 5;

/** @param upgradeUrl shown with plan_required; empty: none */
export function sendProblem(
  reply: FastifyReply,
  error: ApiError,
  baseUrl: string,
  upgradeUrl = '',
): FastifyReply {
  const hasUpgrade = error.code === 'plan_required' && upgradeUrl !== '';
  const problem = { ...problemOf(error, reply.request.id, baseUrl), ...(hasUpgrade && { upgradeUrl }) };
  const { status } = problem;
  const { retryAfterSeconds = status === 503 ? UNAVAILABLE_SECONDS : undefined } = error;
  if (status === 401) refuseCaller(reply);
  if (status === 415) void reply.header('accept-encoding', 'identity');
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', Math.ceil(retryAfterSeconds));
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem));
}

function refuseCaller(reply: FastifyReply): void {
  void reply.header('www-authenticate', 'Bearer');
  // The limits of an account are not for a credential that ended while its request waited.
  for (const name of Object.keys(reply.getHeaders())) {
    if (/^(x-)?ratelimit/.test(name)) void reply.removeHeader(name);
  }
}

/** @param status of the response */
export function logFailure(request: FastifyRequest, error: unknown, status: number): void {
  if (status >= 500 && !hasBrokenOff(request)) request.log.error({ err: error }, 'failed');
}

/** Whether the caller disconnected before sending the whole request, which is not a fault of the service. */
function hasBrokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}
