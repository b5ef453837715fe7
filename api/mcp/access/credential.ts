// Where a credential may stand at this door: in the header, or in the URL for clients that cannot set headers.
import type { FastifyRequest } from 'fastify';
import { parseApiKey } from '../../../core/crypto/api-key.ts';
import { ApiError } from '../../../core/errors.ts';
import { invalidParameter } from '../../contract/invalid-parameter.ts';

/**
 * Puts a token of the URL where authentication looks for it. Nothing behind the door sees the URL.
 * @throws ApiError invalid_parameter when header and URL name two credentials; unauthenticated for an access token of
 * OAuth, which must not stand in a URL (MCP 2026-07-28, authorization)
 */
export function takeTokenOfUrl(request: FastifyRequest): void {
  // Fastify gives a parameter's texts as they came.
  const { token } = request.query as Readonly<Record<string, string | string[] | undefined>>;
  if (token === undefined) return;
  const [text = '', ...others] = Array.isArray(token) ? token : [token];
  const ofUrl = `Bearer ${text}`;
  const { authorization = ofUrl } = request.headers;
  if (others.length > 0 || authorization !== ofUrl) {
    throw invalidParameter(
      'token',
      'names another credential than the header Authorization or itself: send one',
    );
  }
  if (parseApiKey(text) === undefined) {
    throw new ApiError('unauthenticated', 'In the URL, token takes an API key or a session token, whole.');
  }
  request.headers.authorization = ofUrl;
}
