// Signing up: the answer is the same for an address that has a user, and the mail says which it is.
import type { FastifyInstance } from 'fastify';
import { findUserByEmail } from '../../db/users.ts';
import { nameField } from '../fields.ts';
import type { AuthDoor } from './door.ts';
import { countAttempt } from './limits.ts';
import { linkUrl } from './link-url.ts';
import { createLink } from './links.ts';
import { confirmMail, knownMail } from './mails.ts';
import { bodyReader, emailField, newPasswordField } from './read-body.ts';

const readSignUp = bodyReader({ name: nameField, email: emailField, password: newPasswordField });

export function registerSignUpRoutes(app: FastifyInstance, door: AuthDoor): void {
  const { services, passwords, later } = door;
  const { db, config } = services;
  app.post('/auth/sign-up/email', async ({ body, address }) => {
    const { name, password, ...given } = readSignUp(body);
    const email = given.email.toLowerCase();
    await countAttempt(db, config.rateLimitFactor, { what: 'mail', address, subject: email });
    // Before anything is looked up: the same work for all.
    const passwordHash = await passwords.hash(password);
    later.run('a mail of a sign-up was not sent', () => answerByMail(door, { email, name, passwordHash }));
    return {};
  });
}

interface SignUp {
  email: string;
  name: string;
  passwordHash: string;
}

async function answerByMail({ services, sendMail }: AuthDoor, wanted: SignUp): Promise<void> {
  const { db, config } = services;
  const { email } = wanted;
  if ((await findUserByEmail(db, email)) !== undefined) return sendMail(knownMail(email, config.baseUrl));
  const token = await createLink(db, { kind: 'sign-up', ...wanted });
  return sendMail(confirmMail(email, linkUrl(config.baseUrl, token)));
}
