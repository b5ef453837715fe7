// Changes a user's email address: a link to the new address confirms it, and a link to the old address undoes it.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { changesBetween } from '../../core/audit.ts';
import { isPostgresError, type Knex } from '../../db/driver/knex.ts';
import { endLoginSessions, endOtherLoginSessions, lockLogin } from '../../db/access/login-sessions.ts';
import { deletePassword, findUser, findUserByEmail, setEmail } from '../../db/access/users.ts';
import { invalidField } from '../contract/errors.ts';
import { confirmPerson } from './confirm-person.ts';
import { auditUser } from './audit.ts';
import type { AuthContext } from './auth-context.ts';
import { deadLink, signedOut } from './library-errors.ts';
import { countAttempt, countDeadLink } from './limits.ts';
import { createLink, endEmailChange, endLinks, linkUrl, takeLink } from './links.ts';
import { changeEmailMail, changedEmailMail, takenEmailMail } from './mail/mails.ts';
import { bodyReader, emailField, passwordField, tokenField } from './requests.ts';

const readChange = bodyReader({ newEmail: emailField, currentPassword: Type.Optional(passwordField) });
const readLink = bodyReader({ token: tokenField });
const readNothing = bodyReader({});

export function registerEmailRoutes(app: FastifyInstance, context: AuthContext): void {
  const { services, logins, background, sendMail } = context;
  const { db, config } = services;
  const factor = config.rateLimitFactor;
  app.post('/auth/change-email', async (request, reply) => {
    const { newEmail, currentPassword } = readChange(request.body);
    const email = newEmail.toLowerCase();
    const login = await logins.require(request, reply);
    if (email === login.user.email) {
      throw invalidField('/newEmail', 'invalid_value', 'is your email address already.');
    }
    await confirmPerson(context, login, request.address, currentPassword);
    await countAttempt(db, factor, { what: 'mail', address: request.address, subject: email });
    const token = await db.transaction(async (trx) => {
      await endEmailChange(trx, login.user.id);
      const changes = changesBetween({ email: login.user.email }, { email });
      await auditUser(trx, request, { action: 'user.request_email_change', user: login.user, changes });
      return createLink(trx, { kind: 'change-email', userId: login.user.id, email });
    });
    background.run('the mail to a new address was not sent', async () => {
      // The response and the pending change are the same whether or not another user has the address.
      const isTaken = (await findUserByEmail(db, email)) !== undefined;
      await sendMail(
        isTaken ? takenEmailMail(email) : changeEmailMail(email, linkUrl(config.baseUrl, token)),
      );
    });
    return {};
  });
  app.post('/auth/change-email/cancel', async (request, reply) => {
    readNothing(request.body);
    const { user } = await logins.require(request, reply);
    await db.transaction(async (trx) => {
      if (!(await endEmailChange(trx, user.id))) return;
      await auditUser(trx, request, { action: 'user.cancel_email_change', user });
    });
    return {};
  });
  app.post('/auth/change-email/finish', async (request, reply) => {
    const { token } = readLink(request.body);
    const { user, session } = await logins.require(request, reply);
    const before = await countDeadLink(db, factor, request.address, () =>
      changeEmail(context, request, token, { userId: user.id, sessionId: session.id }),
    );
    background.run('the mail to an old address was not sent', () =>
      sendMail(changedEmailMail(before.old, before.email, linkUrl(config.baseUrl, before.undo))),
    );
    return {};
  });
  app.post('/auth/change-email/undo', async (request) => {
    const { token } = readLink(request.body);
    await countDeadLink(db, factor, request.address, () =>
      db.transaction((trx) => undo(trx, request, token)).catch(unlessTaken),
    );
    return {};
  });
}

/**
 * Requires a session of the same user, so that a stranger's link does nothing when it is opened. Ends the user's other
 * sessions.
 * @returns both addresses, and the token of the link that undoes it
 * @throws ApiError unauthenticated for a used or expired link, or one of another user, which stays valid
 */
function changeEmail(
  { services: { db } }: AuthContext,
  request: FastifyRequest,
  token: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<{ old: string; email: string; undo: string }> {
  return db
    .transaction(async (trx) => {
      const link = await takeLink(trx, token, 'change-email');
      // The rollback keeps the link valid.
      if (link.userId !== userId) throw deadLink();
      if (!(await lockLogin(trx, sessionId))) throw signedOut();
      const user = await findUser(trx, userId);
      if (user === undefined) throw deadLink();
      await endLinks(trx, userId);
      await endOtherLoginSessions(trx, userId, sessionId);
      await setEmail(trx, userId, link.email);
      const changes = changesBetween({ email: user.email }, { email: link.email });
      await auditUser(trx, request, { action: 'user.change_email', user, changes });
      const undo = await createLink(trx, { kind: 'undo-email', userId, email: user.email });
      return { old: user.email, email: link.email, undo };
    })
    .catch(unlessTaken);
}

/**
 * Restores the address. The other person may know the password, so it is removed with all sessions and links. The owner sets
 * a new password by a mail to this address.
 */
async function undo(trx: Knex.Transaction, request: FastifyRequest, token: string): Promise<void> {
  const { userId, email } = await takeLink(trx, token, 'undo-email');
  const user = await findUser(trx, userId);
  if (user === undefined) throw deadLink();
  await endLinks(trx, userId);
  await endLoginSessions(trx, userId);
  await deletePassword(trx, userId);
  await setEmail(trx, userId, email);
  // Last: a change at the same time, whose end the statements before wait for, has made one more.
  await endLinks(trx, userId, ['undo-email']);
  const changes = changesBetween({ email: user.email }, { email });
  await auditUser(trx, request, { action: 'user.undo_email_change', user, isAnonymous: true, changes });
}

/** @throws ApiError unauthenticated when another user has taken the address meanwhile */
function unlessTaken(error: unknown): never {
  throw isPostgresError(error, 'uniqueViolation') ? deadLink() : error;
}
