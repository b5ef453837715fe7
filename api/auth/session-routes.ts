// The signed-in user, their other sessions, and the tokens with which the dashboard calls the API.
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../core/config.ts';
import { mintApiKey } from '../../core/crypto/api-key.ts';
import { isId } from '../../core/ids.ts';
import {
  endLoginSession,
  endOtherLoginSessions,
  insertDashboardToken,
  listLoginSessions,
} from '../../db/access/login-sessions.ts';
import { findPasswordHash, type User } from '../../db/access/users.ts';
import { notFound } from '../contract/errors.ts';
import { auditUser } from './audit.ts';
import type { AuthContext } from './auth-context.ts';
import { signedOut } from './library-errors.ts';
import { findPendingEmail } from './links.ts';
import { bodyReader } from './requests.ts';

/** Limits how long a token stolen from a page is valid. */
const TOKEN_SECONDS = 600;

const readNothing = bodyReader({});

export function registerSessionRoutes(app: FastifyInstance, { services, logins }: AuthContext): void {
  const { db, config } = services;
  app.get('/auth/get-session', async (request, reply) => {
    const login = await logins.use(request, reply);
    if (login === null) return reply.type('application/json; charset=utf-8').send('null');
    const hasPassword = (await findPasswordHash(db, login.user.id)) !== undefined;
    const pendingEmail = await findPendingEmail(db, login.user.id);
    const temporalUi = temporalUiFor(login.user, config);
    return { ...login, user: { ...login.user, hasPassword, pendingEmail }, temporalUi };
  });
  app.post('/auth/token', async (request, reply) => {
    readNothing(request.body);
    const { user, session } = await logins.require(request, reply);
    const { value: token, hash } = mintApiKey('dashboard');
    const expiresAt = await insertDashboardToken(db, {
      hash,
      sessionId: session.id,
      lengthSeconds: TOKEN_SECONDS,
    });
    // The session ended meanwhile.
    if (expiresAt === undefined) throw signedOut();
    return { token, expiresAt, userId: user.id };
  });
  app.get('/auth/sessions', async (request, reply) => {
    const { user, session } = await logins.require(request, reply);
    const sessions = await listLoginSessions(db, user.id);
    return { sessions: sessions.map((one) => ({ ...one, isCurrent: one.id === session.id })) };
  });
  app.delete<{ Params: { id: string } }>('/auth/sessions/:id', async (request, reply) => {
    const { user } = await logins.require(request, reply);
    const { id } = request.params;
    if (!isId('loginSession', id)) throw notFound();
    await db.transaction(async (trx) => {
      if (!(await endLoginSession(trx, user.id, id))) throw notFound();
      await auditUser(trx, request, { action: 'user.end_sessions', user });
    });
    return reply.code(204).send();
  });
  app.post('/auth/sessions/end-others', async (request, reply) => {
    readNothing(request.body);
    const { user, session } = await logins.require(request, reply);
    await db.transaction(async (trx) => {
      await endOtherLoginSessions(trx, user.id, session.id);
      await auditUser(trx, request, { action: 'user.end_sessions', user });
    });
    return {};
  });
}

/** Null for users who are not operators. A user's address is proven, because it was confirmed by a link. */
function temporalUiFor({ email }: User, { operatorEmails, temporalUiUrl, temporalNamespace }: Config) {
  const isShown = temporalUiUrl !== '' && operatorEmails.includes(email);
  return isShown ? { url: temporalUiUrl, namespace: temporalNamespace } : null;
}
