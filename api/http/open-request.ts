// Applies to every request: the default headers, and one log line when the response is over.
import { context } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countRequest } from '../../telemetry/requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the operation that the route runs. */
    operation?: string;
    /** Proxies and orchestrators call it every few seconds. Its good answers are logged at level `debug`. */
    isProbe?: true;
  }
  interface FastifyRequest {
    /** Further members of the request's log line. */
    remarks: object | null;
  }
}

const HTTPS_ONLY_SECONDS = 365 * 24 * 3_600;
/** Responses are data, so browsers need not run, load or frame anything in them. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Responses that need other values overwrite these. */
export function usualHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${HTTPS_ONLY_SECONDS}` } : {}),
  };
}

/** Node warns of a leak beyond this. A file that is compressed while it is sent has eleven for `close`. */
const MAX_LISTENERS = 20;

export function openRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
): void {
  void reply.headers(headers).header('x-request-id', request.id);
  reply.raw.setMaxListeners(MAX_LISTENERS);
  const startedAt = performance.now();
  const onClose = (): void => {
    const { method, caller, routeOptions, remarks } = request;
    const ms = performance.now() - startedAt;
    const { url: route, config } = routeOptions;
    countRequest({ method, route, operation: config.operation, status: reply.statusCode, ms });
    const words = reply.raw.writableEnded ? 'answered' : 'the caller disconnected';
    const about = { credentialId: caller?.principal.credentialId, recordId: caller?.record?.id, ...remarks };
    // The route's path without parameters: they contain row keys, and anything that a caller mistook for an id.
    const level = config.isProbe && reply.statusCode < 400 ? 'debug' : 'info';
    request.log[level](
      { method, path: route, status: reply.statusCode, ms: Math.round(ms), ...about },
      words,
    );
  };
  // The connection's events know nothing of the request's trace.
  reply.raw.once('close', context.bind(context.active(), onClose));
}
