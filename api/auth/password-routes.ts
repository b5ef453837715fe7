// New passwords: by a mail, for who forgot theirs, or from within.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { endLoginSessions, endOtherLoginSessions } from '../../db/login-sessions.ts';
import type { ApiError } from '../../core/errors.ts';
import { isPostgresError } from '../../db/postgres-errors.ts';
import { findPasswordHash } from '../../db/users.ts';
import { invalidField } from '../errors.ts';
import type { AuthDoor } from './door.ts';
import { deadLink, isRefusal, signedOut } from './library-errors.ts';
import { countAttempt } from './limits.ts';
import { endLinks } from './links.ts';
import { browserOf, type Login } from './logins.ts';
import { bodyReader, emailField, newPasswordField, passwordField, tokenField } from './read-body.ts';
import { secretHash } from './storage.ts';

const readRequest = bodyReader({ email: emailField });
const readReset = bodyReader({ token: tokenField, newPassword: newPasswordField });
const readChange = bodyReader({
  currentPassword: Type.Optional(passwordField),
  newPassword: newPasswordField,
});

export function registerPasswordRoutes(app: FastifyInstance, door: AuthDoor): void {
  const { services, logins, later } = door;
  const { db, config } = services;
  const count = countAttempt.bind(undefined, db, config.rateLimitFactor);
  app.post('/auth/request-password-reset', async ({ body, address }) => {
    const email = readRequest(body).email.toLowerCase();
    await count({ what: 'mail', address, subject: email });
    later.run('a mail to reset a password was not sent', async () => {
      const { api } = await logins.library();
      await api.requestPasswordReset({ body: { email } });
    });
    return {};
  });
  app.post('/auth/reset-password', async ({ body, address }) => {
    const given = readReset(body);
    await count({ what: 'link', address });
    const { api } = await logins.library();
    try {
      await api.resetPassword({ body: given });
    } catch (error) {
      throw isRefusal(error) ? deadLink() : error;
    }
    return {};
  });
  app.post('/auth/change-password', async (request, reply) => {
    const given = readChange(request.body);
    const login = await logins.require(request, reply);
    await count({ what: 'password', address: request.address, subject: login.user.id });
    await change(door, request, reply, login, given);
    // Links of mails that somebody else may have asked for.
    await endLinks(db, login.user.id);
    return {};
  });
}

const presentPasswordMissing = (): ApiError => invalidField('/currentPassword', 'required', 'is required.');

/** Ends the user's other sessions. Who has no password, having come in by a link, sets one. */
async function change(
  { services: { db }, logins }: AuthDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: Login,
  { currentPassword, newPassword }: { currentPassword?: string; newPassword: string },
): Promise<void> {
  const { api } = await logins.library();
  const headers = browserOf(request);
  if ((await findPasswordHash(db, user.id)) === undefined) {
    await api.setPassword({ body: { newPassword }, headers }).catch((error: unknown) => {
      // Set at the same moment, from another browser.
      if (isPostgresError(error, 'uniqueViolation')) throw presentPasswordMissing();
      throw isRefusal(error) ? signedOut() : error;
    });
    await endOtherLoginSessions(db, user.id, session.id);
    return;
  }
  if (currentPassword === undefined) throw presentPasswordMissing();
  try {
    const body = { currentPassword, newPassword, revokeOtherSessions: true };
    const changed = await api.changePassword({ body, headers, returnHeaders: true });
    logins.answer(reply, changed.headers);
    // Those as well that began before the new password stood.
    await endLoginSessions(db, user.id, secretHash(changed.response.token ?? ''));
  } catch (error) {
    if (isRefusal(error, 'INVALID_PASSWORD'))
      throw invalidField('/currentPassword', 'invalid_value', 'is not your password.');
    throw isRefusal(error) ? signedOut() : error;
  }
}
