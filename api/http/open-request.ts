// What every request gets, whatever becomes of it: the usual headers, an end, and one line in the log when it is over.
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** What its line in the log says besides. */
    remarks: object | null;
  }
}

const HTTPS_ONLY_SECONDS = 365 * 24 * 3_600;
/** Answers are data: no browser has to run, load or frame anything in them. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Answers that need others set them over these. */
export function usualHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${HTTPS_ONLY_SECONDS}` } : {}),
  };
}

export function openRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
): void {
  void reply.headers(headers).header('x-request-id', request.id);
  const startedAt = performance.now();
  reply.raw.once('close', () => {
    const { method, caller, routeOptions, remarks } = request;
    const ms = Math.round(performance.now() - startedAt);
    const words = reply.raw.writableEnded ? 'answered' : 'the caller left';
    const about = { credentialId: caller?.principal.credentialId, recordId: caller?.record?.id, ...remarks };
    // The route's path, without what stands in its places: keys of rows, and whatever a caller mistook for an id.
    request.log.info({ method, path: routeOptions.url, status: reply.statusCode, ms, ...about }, words);
  });
}
