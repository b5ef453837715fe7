// Request bodies: JSON in UTF-8, uncompressed, with limited nesting.
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';

export const BODY_LIMIT_BYTES = 256 * 1024;
/** Far more than any operation needs. Code that walks a body is recursive. */
const MAX_DEPTH = 64;

/** For Fastify's addContentTypeParser. An empty body is undefined. */
export function readJsonBody(
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, value?: unknown) => void,
): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return done(
      new ApiError('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.'),
    );
  }
  if (body.length === 0) return done(null, undefined);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return done(new ApiError('malformed_json', 'Send one JSON object, encoded as UTF-8.'));
  }
  if (isDeeper(value, MAX_DEPTH)) {
    return done(new ApiError('malformed_json', `Nest objects and arrays at most ${MAX_DEPTH} levels deep.`));
  }
  return done(null, value);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
