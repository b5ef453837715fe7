// From the Authorization header to a principal: the only place that sees a credential.
import { hashApiKey, parseApiKey } from '../../core/crypto/api-key.ts';
import { ApiError } from '../../core/errors.ts';
import { allows, type Principal } from '../../core/principal.ts';
import { isPaidTier } from '../../core/tiers.ts';
import { type Caller, findCaller } from '../../db/access/callers.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { Lock, ScopedOperation } from '../contract/operation.ts';

/** What a reference to a record may consist of: an id, a slug, `self`. Others name nothing. */
const REFERENCE = /^[\w-]{1,100}$/;

export const isReference = (text: string): boolean => REFERENCE.test(text);

/** Finds who shows a credential, and the record that the call names. @throws ApiError unauthenticated */
export type Authenticate = (
  db: Database,
  authorization: string | undefined,
  reference: string | undefined,
) => Promise<Caller>;

/**
 * One statement; none for what cannot be a credential.
 * @param reference the record that the path names, as it stands there
 * @throws ApiError unauthenticated: the same words for a credential that is unknown, revoked or expired
 */
export async function authenticate(
  db: Database,
  authorization: string | undefined,
  reference: string | undefined,
): Promise<Caller> {
  const [, credential] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (credential === undefined) {
    throw new ApiError(
      'unauthenticated',
      'Send an API key or a session token in the header Authorization: Bearer <API_KEY>.',
    );
  }
  const parsed = parseApiKey(credential);
  if (parsed === undefined) {
    throw new ApiError(
      'unauthenticated',
      'This is neither an API key nor a session token: check that it was copied whole.',
    );
  }
  const named = reference !== undefined && isReference(reference) ? reference : null;
  const caller = await findCaller(db, parsed.kind, hashApiKey(credential), named);
  if (caller === undefined) {
    throw new ApiError('unauthenticated', 'This API key or session token is unknown, revoked or expired.');
  }
  return caller;
}

/** What a person's browser calls the API with. It works for minutes, and no client is meant to hold it. */
const OF_DASHBOARD = /^Bearer +cat_dsh_/i;

/** For doors that give or take what lasts longer than such a token. @throws ApiError unauthenticated */
export function refuseDashboardToken(authorization: string | undefined, whatInstead: string): void {
  if (!OF_DASHBOARD.test(authorization ?? '')) return;
  throw new ApiError('unauthenticated', `Tokens of the dashboard do not work here: ${whatInstead}.`);
}

/** @throws ApiError insufficient_scope, or plan_required with what would unlock it */
export function requireAccess(
  principal: Principal,
  operation: Pick<ScopedOperation, 'scope' | 'accountOnly' | 'lock'>,
): void {
  const { scope, accountOnly = false, lock } = operation;
  if (!allows(principal.scope, scope)) {
    throw new ApiError(
      'insufficient_scope',
      `This needs the scope ${scope}; the credential has ${principal.scope}.`,
    );
  }
  if (lock !== undefined) requireUnlocked(principal, lock);
  if (accountOnly && principal.kind !== 'account') {
    throw new ApiError('insufficient_scope', 'This needs an account key; the credential is of one record.');
  }
}

function requireUnlocked({ kind, tier }: Principal, { feature, creates }: Lock): void {
  if (kind === 'ephemeral') {
    throw new ApiError(
      'plan_required',
      `${feature} belong to accounts: keep this record in one (POST /v1/sources/self/keep with an account key).`,
    );
  }
  if (!creates || isPaidTier(tier)) return;
  throw new ApiError(
    'plan_required',
    `${feature} unlock for the whole account once any one of its records is on the tier watch or max.`,
  );
}
