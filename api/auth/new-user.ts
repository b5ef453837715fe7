// Creates users, with a new account or in an existing one.
import { randomUUID } from 'node:crypto';
import { createDataKey, type KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import { insertAccount } from '../../db/accounts/accounts.ts';
import type { Database } from '../../db/driver/knex.ts';
import { insertPassword, insertUser, type User } from '../../db/access/users.ts';
import { newId } from '../contract/new-id.ts';

export interface SignUp {
  email: string;
  name: string;
  passwordHash: string;
}

/** Creates a user and an account with its wrapped data key, in one transaction. */
export async function signUp(
  db: Database,
  keys: KeyEncryptionKeys,
  { email, name, passwordHash }: SignUp,
): Promise<User> {
  const accountId = newId('account', Date.now());
  const { wrapped } = createDataKey(keys, accountId);
  return db.transaction(async (trx) => {
    await insertAccount(trx, { id: accountId, name, wrappedDataKey: wrapped });
    const user = await addUser(trx, { accountId, email, name });
    await insertPassword(trx, { id: randomUUID(), userId: user.id, passwordHash });
    return user;
  });
}

/** Creates a user without a password, who signs in by link and may set one. */
export async function addUser(db: Database, user: Omit<User, 'id'>): Promise<User> {
  const added = { id: newId('user', Date.now()), ...user };
  await insertUser(db, added);
  return added;
}
