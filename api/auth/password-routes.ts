// Sets passwords: by a link, for a forgotten one, or while signed in.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Database, isPostgresError } from '../../db/driver/knex.ts';
import { endLoginSessions, isLoginRecent } from '../../db/access/login-sessions.ts';
import {
  findPasswordHash,
  findUser,
  findUserByEmail,
  findVerification,
  insertPassword,
  replacePasswordHash,
} from '../../db/access/users.ts';
import { signInAgain } from '../contract/errors.ts';
import { auditUser } from './audit.ts';
import type { AuthContext } from './auth-context.ts';
import { confirmPerson, presentPasswordMissing, requirePassword, wrongPassword } from './confirm-person.ts';
import { deadLink, isRefusal, signedOut } from './library-errors.ts';
import { countAttempt, countDeadLink, countFailedProof } from './limits.ts';
import { endLinks } from './links.ts';
import type { Login } from './logins.ts';
import { bodyReader, emailField, newPasswordField, passwordField, tokenField } from './requests.ts';
import { secretHash } from './storage.ts';

const readRequest = bodyReader({ email: emailField });
const readReset = bodyReader({ token: tokenField, newPassword: newPasswordField });
const readConfirmation = bodyReader({ currentPassword: passwordField });
const readChange = bodyReader({
  currentPassword: Type.Optional(passwordField),
  newPassword: newPasswordField,
});

export function registerPasswordRoutes(app: FastifyInstance, context: AuthContext): void {
  const { services, logins, background } = context;
  const { db, config } = services;
  const factor = config.rateLimitFactor;
  app.post('/auth/request-password-reset', async (request) => {
    const email = readRequest(request.body).email.toLowerCase();
    await countAttempt(db, factor, { what: 'mail', address: request.address, subject: email });
    background.run('a mail to reset a password was not sent', async () => {
      const user = await findUserByEmail(db, email);
      if (user === undefined) return;
      // First: the library stores the link by itself.
      await auditUser(db, request, { action: 'user.request_password_reset', user, isAnonymous: true });
      const { api } = await logins.library();
      await api.requestPasswordReset({ body: { email } });
    });
    return {};
  });
  app.post('/auth/reset-password', async (request) => {
    const given = readReset(request.body);
    const { api } = await logins.library();
    const userId = await findVerification(db, secretHash(`reset-password:${given.token}`));
    await countDeadLink(db, factor, request.address, () =>
      api.resetPassword({ body: given }).catch((error: unknown) => {
        throw isRefusal(error) ? deadLink() : error;
      }),
    );
    // Afterwards, because the library has its own transactions. If the process ends here, the log has the request for the
    // link only.
    const user = userId === undefined ? undefined : await findUser(db, userId);
    if (user !== undefined)
      await auditUser(db, request, { action: 'user.reset_password', user, isAnonymous: true });
    return {};
  });
  app.post('/auth/confirm', async (request, reply) => {
    const { currentPassword } = readConfirmation(request.body);
    const login = await logins.require(request, reply);
    await confirmPerson(context, login, request.address, currentPassword);
    return {};
  });
  app.post('/auth/change-password', async (request, reply) => {
    const given = readChange(request.body);
    const login = await logins.require(request, reply);
    const { id } = login.user;
    const attempt = { what: 'password', address: request.address, subject: id } as const;
    await countFailedProof(db, factor, attempt, () => change(context, request, login, given));
    const token = await logins.begin(request, reply, id);
    // Including sessions that began before the new password was stored.
    await endLoginSessions(db, id, secretHash(token));
    return {};
  });
}

/** Ends all sessions of the user. A user without a password, who signed in by link recently, sets their first one. */
async function change(
  { services: { db }, passwords }: AuthContext,
  request: FastifyRequest,
  { user, session }: Login,
  { currentPassword, newPassword }: { currentPassword?: string; newPassword: string },
): Promise<void> {
  const before = await findPasswordHash(db, user.id);
  if (before !== undefined) await requirePassword(passwords, before, currentPassword);
  else if (!(await isLoginRecent(db, session.id))) throw signInAgain('set your password');
  const after = await passwords.hash(newPassword);
  await db
    .transaction(async (trx) => {
      // Links, sessions, password: in the same order as a reset, so that the two cannot deadlock.
      await endLinks(trx, user.id);
      // Hashing takes a while. A session that was ended meanwhile must not set a password.
      if (!(await endLoginSessions(trx, user.id)).includes(session.id)) throw signedOut();
      await store(trx, user.id, before, after);
      await auditUser(trx, request, { action: 'user.change_password', user });
    })
    .catch((error: unknown) => {
      // Another browser set one at the same time.
      throw isPostgresError(error, 'uniqueViolation') ? presentPasswordMissing() : error;
    });
}

/** Replaces the password that was confirmed: of two concurrent changes, one succeeds. */
async function store(
  trx: Database,
  userId: string,
  before: string | undefined,
  after: string,
): Promise<void> {
  if (before === undefined) return insertPassword(trx, { id: randomUUID(), userId, passwordHash: after });
  if (!(await replacePasswordHash(trx, userId, before, after))) throw wrongPassword();
}
