// Signs up. The response is the same for an address that has a user; only the mail differs. The person who opens the link
// chooses name and password, not the person who requested it.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isPostgresError } from '../../db/driver/knex.ts';
import { findUserByEmail } from '../../db/access/users.ts';
import { insertAuditEntry } from '../../db/accounts/audit-log.ts';
import { originOfRequest } from '../contract/audit.ts';
import { nameField } from '../input/fields.ts';
import type { AuthContext } from './auth-context.ts';
import { enter } from './enter.ts';
import { deadLink } from './library-errors.ts';
import { countAttempt, countDeadLink } from './limits.ts';
import { createLink, describeLink, linkUrl, takeLink } from './links.ts';
import { confirmMail, knownMail } from './mail/mails.ts';
import { signUp } from './new-user.ts';
import { bodyReader, emailField, newPasswordField, tokenField } from './requests.ts';

const readSignUp = bodyReader({ email: emailField });
const readFinish = bodyReader({ token: tokenField, name: nameField, password: newPasswordField });

export function registerSignUpRoutes(app: FastifyInstance, context: AuthContext): void {
  const { services, passwords, background } = context;
  const { db, config } = services;
  const factor = config.rateLimitFactor;
  app.post('/auth/sign-up/email', async ({ body, address }) => {
    const email = readSignUp(body).email.toLowerCase();
    await countAttempt(db, factor, { what: 'mail', address, subject: email });
    background.run('a sign-up mail was not sent', () => answerByMail(context, email));
    return {};
  });
  app.post('/auth/sign-up/finish', async (request, reply) => {
    const { token, name, password } = readFinish(request.body);
    // Before hashing, which is expensive.
    await countDeadLink(db, factor, request.address, () => describeLink(db, token));
    const passwordHash = await passwords.hash(password);
    await enter(context, request, reply, await becomeUser(context, request, { token, name, passwordHash }));
    return {};
  });
}

async function answerByMail({ services, sendMail }: AuthContext, email: string): Promise<void> {
  const { db, config } = services;
  if ((await findUserByEmail(db, email)) !== undefined) return sendMail(knownMail(email, config.baseUrl));
  const token = await createLink(db, { kind: 'sign-up', email });
  return sendMail(confirmMail(email, linkUrl(config.baseUrl, token)));
}

/**
 * @returns the user's id
 * @throws ApiError unauthenticated if the link is not a valid sign-up link
 */
async function becomeUser(
  { services: { db, config } }: AuthContext,
  request: FastifyRequest,
  { token, name, passwordHash }: { token: string; name: string; passwordHash: string },
): Promise<string> {
  try {
    return await db.transaction(async (trx) => {
      const { email } = await takeLink(trx, token, 'sign-up');
      const { id, accountId } = await signUp(trx, config.keyEncryptionKeys, { email, name, passwordHash });
      const target = { id: accountId, name };
      const origin = originOfRequest(request, 'sign-in');
      await insertAuditEntry(trx, { accountId, action: 'account.create', actorId: id, target, origin });
      return id;
    });
  } catch (error) {
    // Another link to the same address was used at the same time.
    throw isPostgresError(error, 'uniqueViolation') ? deadLink() : error;
  }
}
