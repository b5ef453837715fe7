// Coming in: a session of its own for each time, in place of the one that the browser had.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endLoginSession } from '../../db/access/login-sessions.ts';
import type { AuthContext } from './auth-context.ts';

/** Signs a user in who has shown who they are. @throws ApiError unauthenticated when they are gone */
export async function enter(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  await context.logins.begin(request, reply, userId);
  await leaveLast(context, request);
}

/** Ends the session that the browser came with, once it has another. */
export async function leaveLast(
  { services: { db }, logins }: AuthContext,
  request: FastifyRequest,
): Promise<void> {
  const last = await logins.find(request);
  if (last !== null) await endLoginSession(db, last.user.id, last.session.id);
}
