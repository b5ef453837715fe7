// Whom a link is for; those who signed up are made a user by it.
import type { KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import type { Database } from '../../db/knex.ts';
import { isPostgresError } from '../../db/postgres-errors.ts';
import type { LinkPurpose } from './links.ts';
import { signUp } from './new-user.ts';

/** @returns undefined when somebody has become a user with this address meanwhile */
export async function userOfLink(
  db: Database,
  keys: KeyEncryptionKeys,
  value: string,
): Promise<{ id: string } | undefined> {
  // Written by createLink.
  const purpose: LinkPurpose = JSON.parse(value);
  if (purpose.kind === 'sign-in') return { id: purpose.userId };
  try {
    return await signUp(db, keys, purpose);
  } catch (error) {
    if (isPostgresError(error, 'uniqueViolation')) return undefined;
    throw error;
  }
}
