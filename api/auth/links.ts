// Links that work once: what they are about, and their tokens, of which only hashes are kept.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../db/knex.ts';
import { deleteVerificationsOf, insertVerification } from '../../db/users.ts';
import { secretHash } from './storage.ts';

export type LinkPurpose =
  | { kind: 'sign-in'; userId: string }
  /** All of a sign-up: nothing is made for an address that nobody has shown to be theirs. */
  | { kind: 'sign-up'; email: string; name: string; passwordHash: string };

const HOUR_SECONDS = 3_600;
/** Who signs up may look into their mail tomorrow; a link that signs in is there to be used at once. */
const LENGTH_SECONDS = { 'sign-in': HOUR_SECONDS, 'sign-up': 24 * HOUR_SECONDS } as const;

/** What the library calls the link of a token. */
export const linkIdentifier = (token: string): string => `link:${token}`;

/** @returns the token, of 256 random bits */
export async function createLink(db: Database, purpose: LinkPurpose): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertVerification(db, {
    id: randomUUID(),
    identifierHash: secretHash(linkIdentifier(token)),
    value: JSON.stringify(purpose),
    lengthSeconds: LENGTH_SECONDS[purpose.kind],
  });
  return token;
}

/** Ends what a user could still come in by, once they have a new password: links that sign in, or that set another one. */
export async function endLinks(db: Database, userId: string): Promise<void> {
  const signIn: LinkPurpose = { kind: 'sign-in', userId };
  // The library's own, which set a password, are about the id alone.
  await deleteVerificationsOf(db, [userId, JSON.stringify(signIn)]);
}
