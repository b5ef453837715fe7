// Admits requests: the credential, then the rate limit of its account, then what the credential allows. In this order, every
// refusal costs as little as possible. Failures are limited by address; successful requests never are.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashApiKey, parseApiKey } from '../../core/crypto/api-key.ts';
import { ApiError } from '../../core/errors.ts';
import { isId, isRecordReference } from '../../core/ids.ts';
import { allows, type Principal, type Scope } from '../../core/principal.ts';
import { isPaidTier } from '../../core/tiers.ts';
import { type Caller, findCaller } from '../../db/access/callers.ts';
import { isLoginRecent } from '../../db/access/login-sessions.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { Lock, PublicOperation, ScopedOperation } from '../contract/operation.ts';
import { callerAddress } from '../../core/network/caller-address.ts';
import type { Context, Services } from '../contract/context.ts';
import { signInAgain } from '../contract/errors.ts';
import { type Allowance, rateLimitHeaders, type RateLimits, requireAllowance } from './rate-limits.ts';

/**
 * Finds the caller of a credential, and the record that the call names.
 * @throws ApiError unauthenticated
 */
export type Authenticate = (
  db: Database,
  authorization: string | undefined,
  reference: string | undefined,
) => Promise<Caller>;

/**
 * Runs one statement, or none if the text cannot be a credential.
 * @param reference the record as the path names it
 * @throws ApiError unauthenticated: with the same message for an unknown, a revoked and an expired credential
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
      'This is neither an API key nor a session token. Check that you copied all of it.',
    );
  }
  const named = reference !== undefined && isRecordReference(reference) ? reference : null;
  const caller = await findCaller(db, parsed.kind, hashApiKey(credential), named);
  if (caller === undefined) {
    throw new ApiError('unauthenticated', 'This API key or session token is unknown, revoked or expired.');
  }
  return caller;
}

/** Whether the credential of an admitted request still works: no longer after it was revoked or has expired. */
export async function stillWorks(
  db: Database,
  find: Authenticate,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<boolean> {
  try {
    await find(db, headers.authorization, undefined);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/**
 * For an answer that was waited for: it tells what came after the request, which is not for a credential that has ended.
 * @throws ApiError unauthenticated
 */
export async function requireWorking({ stillWorks: works }: Pick<Context, 'stillWorks'>): Promise<void> {
  if (await works()) return;
  throw new ApiError(
    'unauthenticated',
    'This API key or session token was revoked or has expired while the request waited. The request itself was carried out.',
  );
}

/** The dashboard calls the API with such a token. It is valid for minutes and not meant for other clients. */
const OF_DASHBOARD = /^Bearer +cat_dsh_/i;

/**
 * For operations that create or accept a credential that lasts longer than such a token.
 * @throws ApiError unauthenticated
 */
export function refuseDashboardToken(authorization: string | undefined, whatInstead: string): void {
  if (!OF_DASHBOARD.test(authorization ?? '')) return;
  throw new ApiError('unauthenticated', `Dashboard tokens do not work here: ${whatInstead}.`);
}

/**
 * For changes that outlast the token of a person's browser. Keys pass.
 * @param deed the step, as a verb phrase
 * @throws ApiError recent_sign_in_required
 */
export async function requireRecentSignIn(
  { db, principal: { credentialId } }: Pick<Context, 'db' | 'principal'>,
  deed: string,
): Promise<void> {
  if (isId('loginSession', credentialId) && !(await isLoginRecent(db, credentialId))) throw signInAgain(deed);
}

/** @throws ApiError insufficient_scope, or plan_required with a message that says what unlocks the feature */
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
    throw new ApiError('insufficient_scope', 'This needs an account key; the credential is for one record.');
  }
}

function requireUnlocked(principal: Principal, { feature, creates }: Lock): void {
  if (principal.kind === 'ephemeral') {
    throw new ApiError(
      'plan_required',
      `${feature} belong to accounts: keep this record in one (POST /v1/sources/self/keep with an account key).`,
    );
  }
  if (creates === true) requirePaidTier(principal, feature);
}

/** @throws ApiError plan_required */
export function requirePaidTier({ tier }: Principal, feature: Lock['feature']): void {
  if (isPaidTier(tier)) return;
  throw new ApiError(
    'plan_required',
    `${feature} become available to the whole account when one of its records is on the tier watch or max.`,
  );
}

export interface Admission extends Pick<Services, 'db' | 'clock'> {
  rateLimits: RateLimits;
  /** For routes that accept other credentials too. */
  authenticate?: Authenticate;
}

/** What a route requires of its callers. */
type Asked =
  | Pick<PublicOperation, 'scope'>
  | Pick<ScopedOperation, 'scope' | 'accountOnly' | 'lock' | 'takesTokenInUrl'>;

/**
 * Authenticates a request, counts it and checks its scope. Sets `caller` and `address` on it.
 * @param reference the record that the path names
 * @throws ApiError unauthenticated, rate_limited, insufficient_scope or plan_required
 */
export async function admitRequest(
  admission: Admission,
  operation: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
  reference: string | undefined,
): Promise<void> {
  const address = callerAddress(request.ip);
  request.address = address;
  if (operation.scope === 'public') {
    admit(admission, reply, await admission.rateLimits.countPublic(address));
    return;
  }
  const token = operation.takesTokenInUrl === true ? tokenInUrl(request) : undefined;
  const authorization = token === undefined ? request.headers.authorization : `Bearer ${token}`;
  const caller = await authenticateFrom(admission, address, authorization, reference);
  request.caller = caller;
  admit(admission, reply, await admission.rateLimits.countCaller(caller.principal));
  requireAccess(caller.principal, operation);
  if (token !== undefined) refuseWideToken(caller.principal, operation.scope);
}

const tokenInUrl = ({ query }: FastifyRequest): string | undefined => {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' ? token : undefined;
};

/** @throws ApiError insufficient_scope, because URLs end up in logs and histories */
function refuseWideToken({ scope: granted }: Principal, scope: Scope): void {
  if (granted === scope) return;
  throw new ApiError(
    'insufficient_scope',
    `A URL may only hold a key with the scope ${scope}; this one has ${granted}. Revoke it if others may have seen the URL.`,
  );
}

/** @throws ApiError unauthenticated, or rate_limited when too many credentials from this address have failed */
export async function authenticateFrom(
  { db, rateLimits, authenticate: find = authenticate }: Admission,
  address: string,
  authorization: string | undefined,
  reference: string | undefined,
): Promise<Caller> {
  const end = await rateLimits.beginLookUp(address);
  try {
    return await find(db, authorization, reference);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') await rateLimits.countFailure(address);
    throw error;
  } finally {
    end();
  }
}

function admit({ clock }: Admission, reply: FastifyReply, allowance: Allowance): void {
  void reply.headers(rateLimitHeaders(allowance, clock()));
  requireAllowance(allowance);
}
