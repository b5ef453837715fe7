// Refusals in JSON-RPC: of a method, which each leg turns into its library's error, and of a whole HTTP request.
import type { FastifyReply } from 'fastify';
import { challenge } from '../access/challenge.ts';
import type { ApiError } from '../../../core/errors.ts';
import { problemOf } from '../../contract/errors.ts';

export const RPC_CODES = {
  parseError: -32_700,
  invalidParams: -32_602,
  internal: -32_603,
  missingCapability: -32_021,
} as const;

/** A request that a method does not take: a fault of the client, not of what a tool was asked for. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, data?: object) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string, data?: object): RpcError =>
  new RpcError(RPC_CODES.invalidParams, message, data);

/** Refuses a request at the door. The code is the HTTP status, which no code of the protocol can be taken for. */
export function sendRpcError(reply: FastifyReply, error: ApiError, baseUrl: string): FastifyReply {
  const problem = problemOf(error, reply.request.id, baseUrl);
  const { status } = problem;
  // A page that may not call at all is refused before anybody is known, and no token would help it.
  const isOfScope = error.code === 'insufficient_scope' && reply.request.caller !== null;
  if (status === 401 || isOfScope) {
    void reply.header('www-authenticate', challenge(baseUrl, error.code, reply.request));
  }
  if (error.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', Math.ceil(error.retryAfterSeconds));
  }
  const code = error.code === 'malformed_json' ? RPC_CODES.parseError : status;
  const body = { jsonrpc: '2.0', id: null, error: { code, message: problem.detail, data: problem } };
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}
