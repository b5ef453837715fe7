// What is logged as a fault of ours, by whatever door it came.
import type { FastifyRequest } from 'fastify';

/** @param status that the request is answered with */
export function logFailure(request: FastifyRequest, error: unknown, status: number): void {
  if (status >= 500 && !hasBrokenOff(request)) request.log.error({ err: error }, 'failed');
}

/** Whether the caller left before the request was whole: no fault of ours, whatever the error looks like. */
function hasBrokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}
