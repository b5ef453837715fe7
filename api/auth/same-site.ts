// Whether a request comes from a page of ours: browsers send the cookie also with what other sites make them send.
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';

/**
 * Of requests that change something.
 * @throws ApiError bad_request for other sites, unsupported_media_type for what a form of theirs could send
 */
export function requireSamePage({ method, headers }: FastifyRequest, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site, 'content-type': type } = headers;
  // Browsers say where a request comes from, except over plain HTTP and the oldest of them: these say its origin.
  const isOurs = site === undefined ? origin === new URL(baseUrl).origin : site === 'same-origin';
  if (!isOurs) throw new ApiError('bad_request', 'This is answered to pages of the dashboard alone.');
  const isJson = /^application\/json\s*(;|$)/i.test(type ?? '');
  if (isJson || (method === 'DELETE' && type === undefined)) return;
  throw new ApiError('unsupported_media_type', 'Send JSON with the header Content-Type: application/json.');
}
