// Signs a user in with a new session, which replaces the browser's previous one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endLoginSession } from '../../db/access/login-sessions.ts';
import type { Database } from '../../db/driver/knex.ts';
import { auditSignIn, auditUser } from './audit.ts';
import type { AuthContext } from './auth-context.ts';
import type { Login } from './logins.ts';

/**
 * Signs in a user whose identity is proven.
 * @throws ApiError unauthenticated when the user was deleted
 */
export async function enter(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  await context.logins.begin(request, reply, userId, () => auditSignIn(context.services.db, request, userId));
  await leaveLast(context, request);
}

/** Ends the browser's previous session once it has a new one. */
export async function leaveLast(
  { services: { db }, logins }: AuthContext,
  request: FastifyRequest,
): Promise<void> {
  const last = await logins.find(request);
  if (last !== null) await endLogin(db, request, last);
}

/** Ends the session of this browser. */
export async function endLogin(
  db: Database,
  request: FastifyRequest,
  { user, session }: Login,
): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await endLoginSession(trx, user.id, session.id))) return;
    await auditUser(trx, request, { action: 'user.sign_out', user });
  });
}
