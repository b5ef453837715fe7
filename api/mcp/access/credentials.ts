// Credentials of MCP requests: API keys and session tokens, in a header or the URL, and access tokens of connected clients.
import { isRecordReference } from '../../../core/ids.ts';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { findConnectedCaller } from '../../../db/access/connected-clients.ts';
import { findVisibleRecord } from '../../../db/records/visible-records.ts';
import { type Authenticate, authenticate, refuseDashboardToken } from '../../access/admission.ts';
import { parseApiKey } from '../../../core/crypto/api-key.ts';
import { invalidParameter } from '../../contract/errors.ts';

/** Our access tokens are 43 characters of base64url. Keys and session tokens begin with `cat_`. */
const ACCESS_TOKEN = /^Bearer +((?!cat_)[\w-]{43})$/i;

/** @param audience the resource that access tokens must be issued for */
export function createClientAuthentication(audience: string): Authenticate {
  return async (db, authorization, reference) => {
    const [, token] = ACCESS_TOKEN.exec(authorization ?? '') ?? [];
    if (token === undefined) {
      refuseDashboardToken(authorization, 'create an API key for this client');
      return authenticate(db, authorization, reference);
    }
    const caller = await findConnectedCaller(db, token, audience);
    if (caller === undefined) {
      throw new ApiError('unauthenticated', 'This access token is unknown, revoked or expired.');
    }
    const named = reference !== undefined && isRecordReference(reference) ? reference : undefined;
    if (named === undefined) return caller;
    return { ...caller, record: (await findVisibleRecord(db, caller.principal, named)) ?? null };
  };
}

/**
 * Moves a token from the URL to the header, where authentication reads it. Later code does not see the URL.
 * @throws ApiError invalid_parameter when header and URL name two credentials; unauthenticated for an OAuth access token,
 * which must not be in a URL (MCP 2026-07-28, authorization)
 */
export function takeTokenOfUrl(request: FastifyRequest): void {
  // Fastify does not validate query parameters here.
  const { token } = request.query as Readonly<Record<string, string | string[] | undefined>>;
  if (token === undefined) return;
  const [text = '', ...others] = Array.isArray(token) ? token : [token];
  const ofUrl = `Bearer ${text}`;
  const { authorization = ofUrl } = request.headers;
  if (others.length > 0 || authorization !== ofUrl) {
    throw invalidParameter(
      'token',
      'differs from the header Authorization, or is repeated: send one credential',
    );
  }
  if (parseApiKey(text) === undefined) {
    throw new ApiError('unauthenticated', 'In the URL, token must be a complete API key or session token.');
  }
  request.headers.authorization = ofUrl;
}
