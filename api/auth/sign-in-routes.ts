// Signs in, with a password or a link that works once, and signs out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { endLoginSessionOfToken } from '../../db/access/login-sessions.ts';
import { findPasswordHash, findPasswordHashByEmail, replacePasswordHash } from '../../db/access/users.ts';
import { auditSignIn } from './audit.ts';
import type { AuthContext } from './auth-context.ts';
import { endLogin, enter, leaveLast } from './enter.ts';
import { isRefusal } from './library-errors.ts';
import { countDeadLink, countFailedProof } from './limits.ts';
import { describeLink, takeLink } from './links.ts';
import { browserOf } from './logins.ts';
import { isOutdated } from './passwords.ts';
import { bodyReader, emailField, passwordField, tokenField } from './requests.ts';
import { secretHash } from './storage.ts';

const readSignIn = bodyReader({ email: emailField, password: passwordField });
const readLink = bodyReader({ token: tokenField });
const readNothing = bodyReader({});

export function registerSignInRoutes(app: FastifyInstance, context: AuthContext): void {
  const { services, logins } = context;
  const { db, config } = services;
  const factor = config.rateLimitFactor;
  app.post('/auth/sign-in/email', async (request, reply) => {
    const { password, ...given } = readSignIn(request.body);
    const email = given.email.toLowerCase();
    const attempt = { what: 'sign-in', address: request.address, subject: email } as const;
    const userId = await countFailedProof(db, factor, attempt, () =>
      signIn(context, request, reply, { email, password }),
    );
    await leaveLast(context, request);
    context.background.run('a password was not rehashed', () => renewHash(context, userId, password));
    return {};
  });
  app.post('/auth/link/look', async ({ body, address }) => {
    const { token } = readLink(body);
    return countDeadLink(db, factor, address, () => describeLink(db, token));
  });
  app.post('/auth/link', async (request, reply) => {
    const { token } = readLink(request.body);
    const { userId } = await countDeadLink(db, factor, request.address, () => takeLink(db, token, 'sign-in'));
    await enter(context, request, reply, userId);
    return {};
  });
  app.post('/auth/sign-out', async (request, reply) => {
    readNothing(request.body);
    const login = await logins.find(request);
    // Not by the library, which reports success even if the deletion failed.
    if (login !== null) await endLogin(db, request, login);
    const { api } = await logins.library();
    const { headers } = await api.signOut({ headers: browserOf(request), returnHeaders: true });
    logins.answer(reply, headers);
    return {};
  });
}

/**
 * @returns the user's id
 * @throws ApiError unauthenticated: with the same message for every cause
 */
async function signIn(
  context: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: { email: string; password: string },
): Promise<string> {
  const { db } = context.services;
  const { api } = await context.logins.library();
  const before = await findPasswordHashByEmail(db, body.email);
  try {
    const { headers, response } = await api.signInEmail({
      body,
      headers: browserOf(request),
      returnHeaders: true,
    });
    const userId = response.user.id;
    if (!(await isStillPassword(context, userId, body.password, before))) {
      await endLoginSessionOfToken(db, secretHash(response.token));
      throw wrongPassword();
    }
    await auditSignIn(db, request, userId);
    context.logins.answer(reply, headers);
    return userId;
  } catch (error) {
    throw isRefusal(error) ? wrongPassword() : error;
  }
}

const wrongPassword = (): ApiError =>
  new ApiError('unauthenticated', 'There is no user with this email and this password.');

/**
 * Verifying a password takes time. If the password was replaced meanwhile, its sessions were ended, and no new one may
 * begin.
 */
async function isStillPassword(
  { services: { db }, passwords }: AuthContext,
  userId: string,
  password: string,
  before: string | undefined,
): Promise<boolean> {
  const now = await findPasswordHash(db, userId);
  if (now === undefined || now === before) return now !== undefined;
  // The same password may have been rehashed.
  return passwords.verify({ hash: now, password });
}

/** Rehashes with the current parameters. The password is known only now. */
async function renewHash({ services: { db }, passwords }: AuthContext, userId: string, password: string) {
  const before = await findPasswordHash(db, userId);
  if (before === undefined || !isOutdated(before)) return;
  await replacePasswordHash(db, userId, before, await passwords.hash(password));
}
