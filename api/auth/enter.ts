// Signs a user in with a new session, which replaces the browser's previous one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endLoginSession } from '../../db/access/login-sessions.ts';
import type { AuthContext } from './auth-context.ts';

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
  await context.logins.begin(request, reply, userId);
  await leaveLast(context, request);
}

/** Ends the browser's previous session once it has a new one. */
export async function leaveLast(
  { services: { db }, logins }: AuthContext,
  request: FastifyRequest,
): Promise<void> {
  const last = await logins.find(request);
  if (last !== null) await endLoginSession(db, last.user.id, last.session.id);
}
