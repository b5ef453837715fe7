// Who may come in at the REST door: the credential, then the rate limit of its account, then what the credential allows. In
// this order, so that every refusal costs as little as possible. Failures are limited by address, and nothing that works is.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { callerAddress } from '../../core/network/caller-address.ts';
import type { Caller } from '../../db/access/callers.ts';
import { type Authenticate, authenticate, requireAccess } from './authenticate.ts';
import type { Services } from '../contract/context.ts';
import type { PublicOperation, ScopedOperation } from '../contract/operation.ts';
import type { Allowance, RateLimits } from './rate-limit.ts';
import { rateLimitHeaders, requireAllowance } from './rate-limit-headers.ts';

export interface Doorkeeper extends Pick<Services, 'db' | 'clock'> {
  rateLimits: RateLimits;
  /** Of a door that takes other credentials besides. */
  authenticate?: Authenticate;
}

/** What a door asks of its callers. */
type Asked = Pick<PublicOperation, 'scope'> | Pick<ScopedOperation, 'scope' | 'accountOnly' | 'lock'>;

/**
 * Lets a request in, and leaves on it who calls and from where.
 * @param reference the record that the path names
 * @throws ApiError unauthenticated, rate_limited, insufficient_scope or plan_required
 */
export async function letIn(
  keeper: Doorkeeper,
  operation: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
  reference: string | undefined,
): Promise<void> {
  const address = callerAddress(request.ip);
  request.address = address;
  if (operation.scope === 'public') {
    admit(keeper, reply, await keeper.rateLimits.countPublic(address));
    return;
  }
  const caller = await authenticateFrom(keeper, address, request.headers.authorization, reference);
  request.caller = caller;
  admit(keeper, reply, await keeper.rateLimits.countCaller(caller.principal));
  requireAccess(caller.principal, operation);
}

/** Who calls. @throws ApiError unauthenticated, or rate_limited when too many credentials of the address did not work */
export async function authenticateFrom(
  { db, rateLimits, authenticate: find = authenticate }: Doorkeeper,
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

function admit({ clock }: Doorkeeper, reply: FastifyReply, allowance: Allowance): void {
  void reply.headers(rateLimitHeaders(allowance, clock()));
  requireAllowance(allowance);
}
