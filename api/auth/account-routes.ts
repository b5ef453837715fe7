// Deletes the signed-in user's account with everything in it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { markAccountDeleted } from '../../db/accounts/accounts.ts';
import { insertAuditEntry } from '../../db/accounts/audit-log.ts';
import { originOfRequest } from '../contract/audit.ts';
import { invalidField } from '../contract/errors.ts';
import { tellWorkflow } from '../temporal/workflows.ts';
import { confirmPerson } from './confirm-person.ts';
import type { AuthContext } from './auth-context.ts';
import { signedOut } from './library-errors.ts';
import { browserOf } from './logins.ts';
import { deletedMail } from './mail/mails.ts';
import { bodyReader, emailField, passwordField } from './requests.ts';

const readDeletion = bodyReader({ email: emailField, currentPassword: Type.Optional(passwordField) });

/** Reconciling notifies the other workflows within minutes. */
const TOLD_AT_ONCE = 500;

export function registerAccountRoutes(app: FastifyInstance, context: AuthContext): void {
  const { services, logins, background, sendMail } = context;
  app.post('/auth/delete-account', async (request, reply) => {
    const { email, currentPassword } = readDeletion(request.body);
    const login = await logins.require(request, reply);
    if (email.toLowerCase() !== login.user.email) {
      throw invalidField('/email', 'invalid_value', 'is not the email address that you sign in with.');
    }
    await confirmPerson(context, login, request.address, currentPassword);
    const { id: actorId, accountId } = login.user;
    const deleted = await services.db.transaction(async (trx) => {
      // It is erased with the account.
      const origin = originOfRequest(request, 'sign-in');
      await insertAuditEntry(trx, {
        accountId,
        action: 'account.delete',
        actorId,
        target: { id: accountId },
        origin,
      });
      const marked = await markAccountDeleted(trx, accountId, TOLD_AT_ONCE);
      // Another browser deleted it at the same time.
      if (marked === undefined) throw signedOut();
      return marked;
    });
    services.log.info({ accountId }, 'an account was deleted by its user');
    for (const address of deleted.emails) {
      background.run('the mail about a deleted account was not sent', () => sendMail(deletedMail(address)));
    }
    background.run('workflows were not notified of a deleted account', async () => {
      for (const id of deleted.recordIds) await tellWorkflow(services, id, 'deleted');
    });
    await dropCookie(context, request, reply);
    return {};
  });
}

async function dropCookie(
  { logins }: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { api } = await logins.library();
  const { headers } = await api.signOut({ headers: browserOf(request), returnHeaders: true });
  logins.answer(reply, headers);
}
