// Makes the demonstration's user, and a link that signs in as them.
import { createLink } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findUserByEmail, moveUser, type User } from '../../db/access/users.ts';
import { DEMO_EMAIL } from './child-settings.ts';

/** @returns the token of the link: it works once, within an hour */
export async function seedSignIn(db: Database, accountId: string): Promise<string> {
  const { id } = await ensureUser(db, accountId);
  return createLink(db, { kind: 'sign-in', userId: id });
}

/** The user of a demonstration whose key was lost goes on with the new one. */
async function ensureUser(db: Database, accountId: string): Promise<User> {
  const known = await findUserByEmail(db, DEMO_EMAIL);
  if (known === undefined) return addUser(db, { accountId, email: DEMO_EMAIL, name: 'Demonstration' });
  if (known.accountId !== accountId) await moveUser(db, known.id, accountId);
  return known;
}
