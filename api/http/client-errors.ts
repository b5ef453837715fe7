// Answers what the HTTP parser refuses with a problem document. Repeats and logs nothing of what was sent, because it may
// contain a credential.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { problemOf } from '../contract/errors.ts';

const LINGER_MS = 1_000;

/** Sockets that were answered. The parser may report further errors meanwhile. Entries go with their sockets. */
const refused = new WeakSet<Socket>();

/** For Fastify's clientErrorHandler. */
export function answerClientError(
  error: Error & { code: string },
  socket: Socket,
  baseUrl: string,
  log: FastifyBaseLogger,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || refused.has(socket)) return;
  refused.add(socket);
  if (!socket.writable || isBeingAnswered(socket)) {
    socket.destroy();
    return;
  }
  refuse(socket, refusalOf(error.code), baseUrl, log, { parser: error.code });
}

/** For a CONNECT request, which Node passes as a bare socket. */
export function answerConnect(socket: Socket, baseUrl: string, log: FastifyBaseLogger): void {
  // Node has removed its own listener, and without one a reset would end the process.
  socket.on('error', () => socket.destroy());
  const error = new ApiError('method_not_allowed', 'This server is not a proxy: no path accepts CONNECT.');
  refuse(socket, error, baseUrl, log, { method: 'CONNECT' });
}

function refuse(
  socket: Socket,
  error: ApiError,
  baseUrl: string,
  log: FastifyBaseLogger,
  remarks: object,
): void {
  const requestId = randomUUID();
  const problem = problemOf(error, requestId, baseUrl);
  log.info({ requestId, status: problem.status, ...remarks }, 'refused below HTTP');
  socket.end(httpMessage(problem.status, requestId, JSON.stringify(problem)));
  // Bytes that arrive now must not be parsed as a request. Closing with unread bytes would reset the connection, and the
  // client would lose the response.
  socket.pause();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Whether a response has begun on this connection, so that a second one would become part of its content. Node has no public
 * API for this; its own handler reads the same member.
 */
function isBeingAnswered(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function refusalOf(code: string): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', 'The request did not arrive in time.');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('headers_too_large', 'Send at most 16 kB of headers, including the request line.');
  }
  return new ApiError('bad_request', 'This is not a valid HTTP/1.1 request.');
}

function httpMessage(status: number, requestId: string, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    // RFC 9110, 15.5.6: an empty list if no method is allowed.
    ...(status === 405 ? ['Allow: '] : []),
    '',
    body,
  ].join('\r\n');
}
