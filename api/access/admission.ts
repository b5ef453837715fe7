// Admits requests: the credential, then the rate limit of its account, then what the credential allows. In this order, every
// refusal costs as little as possible. Failures are limited by address; successful requests never are.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashApiKey, parseApiKey } from '../../core/crypto/api-key.ts';
import { ApiError } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { allows, type Principal } from '../../core/principal.ts';
import { isPaidTier } from '../../core/tiers.ts';
import { type Caller, findCaller } from '../../db/access/callers.ts';
import { isLoginRecent } from '../../db/access/login-sessions.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { Lock, PublicOperation, ScopedOperation } from '../contract/operation.ts';
import { callerAddress } from '../../core/network/caller-address.ts';
import type { Context, Services } from '../contract/context.ts';
import { signInAgain } from '../contract/errors.ts';
import { type Allowance, rateLimitHeaders, type RateLimits, requireAllowance } from './rate-limits.ts';

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

/**
 * For what goes on after the token of a person's browser has ended. Keys pass.
 * @param deed what they are about to do
 * @throws ApiError recent_sign_in_required
 */
export async function requireRecentSignIn(
  { db, principal: { credentialId } }: Pick<Context, 'db' | 'principal'>,
  deed: string,
): Promise<void> {
  if (isId('loginSession', credentialId) && !(await isLoginRecent(db, credentialId))) throw signInAgain(deed);
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

export interface Admission extends Pick<Services, 'db' | 'clock'> {
  rateLimits: RateLimits;
  /** For routes that accept other credentials as well. */
  authenticate?: Authenticate;
}

/** What a route requires of its callers. */
type Asked = Pick<PublicOperation, 'scope'> | Pick<ScopedOperation, 'scope' | 'accountOnly' | 'lock'>;

/**
 * Lets a request in, and leaves on it who calls and from where.
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
  const caller = await authenticateFrom(admission, address, request.headers.authorization, reference);
  request.caller = caller;
  admit(admission, reply, await admission.rateLimits.countCaller(caller.principal));
  requireAccess(caller.principal, operation);
}

/** Who calls. @throws ApiError unauthenticated, or rate_limited when too many credentials of the address did not work */
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
