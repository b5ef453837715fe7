// From the Authorization header to a principal: the only place that sees a key.
import { hashApiKey, parseApiKey } from '../core/crypto/api-key.ts';
import { ApiError } from '../core/errors.ts';
import { allows, type Principal, type Scope } from '../core/principal.ts';
import { findPrincipalByKeyHash } from '../db/api-keys.ts';
import type { Database } from '../db/knex.ts';

/**
 * One statement; none for what cannot be a key.
 * @throws ApiError unauthenticated: the same words for a key that is unknown, revoked or expired
 */
export async function authenticate(db: Database, authorization: string | undefined): Promise<Principal> {
  if (authorization === undefined) {
    throw new ApiError('unauthenticated', 'Send an API key in the header Authorization: Bearer <API_KEY>.');
  }
  const [, key = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const parsed = parseApiKey(key);
  if (parsed === undefined) {
    throw new ApiError('unauthenticated', 'This is not an API key: check that it was copied whole.');
  }
  const principal = await findPrincipalByKeyHash(db, hashApiKey(key));
  if (principal === undefined || principal.kind !== parsed.kind) {
    throw new ApiError('unauthenticated', 'This API key is unknown, revoked or expired.');
  }
  return principal;
}

/** @throws ApiError insufficient_scope */
export function requireScope(principal: Principal, required: Scope): void {
  if (allows(principal.scope, required)) return;
  throw new ApiError(
    'insufficient_scope',
    `This needs the scope ${required}; the credential has ${principal.scope}.`,
  );
}
