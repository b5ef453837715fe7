// Makes the demonstration's account and its key.
import type { KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import type { Database } from '../../db/driver/knex.ts';
import { createAccount } from '../account/create-account.ts';

export interface SeededAccount {
  accountId: string;
  /** The key itself; only its hash is in the database. */
  apiKey: string;
}

/** An account with one key of scope `full`. */
export async function seedAccount(db: Database, keys: KeyEncryptionKeys): Promise<SeededAccount> {
  const names = { name: 'Demonstration', keyName: 'npm start' };
  const { accountId, value } = await createAccount(db, keys, names);
  return { accountId, apiKey: value };
}
