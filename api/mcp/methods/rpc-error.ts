// JSON-RPC errors: of a method, which each protocol revision turns into its library's error, and of a whole HTTP request.
import type { FastifyReply } from 'fastify';
import { challenge } from '../access/challenge.ts';
import type { ApiError } from '../../../core/errors.ts';
import { problemOf } from '../../contract/errors.ts';

export const RPC_CODES = {
  parseError: -32_700,
  invalidParams: -32_602,
  internal: -32_603,
  missingCapability: -32_021,
  /** Of the Language Server Protocol; this one has none. The caller ignores the answer. */
  cancelled: -32_800,
} as const;

/** Invalid parameters of a method: an error of the client, unlike invalid arguments of a tool. */
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

/** Refuses a request before any method runs. The code is the HTTP status, which is not a code of the protocol. */
export function sendRpcError(reply: FastifyReply, error: ApiError, baseUrl: string): FastifyReply {
  const problem = problemOf(error, reply.request.id, baseUrl);
  const { status } = problem;
  // A page of a forbidden origin is refused before authentication, so a wider token would not help it.
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
