// Makes the demonstration's account and its key, straight in the database: no key exists yet to ask the API with.
import { randomUUID } from 'node:crypto';
import { mintApiKey } from '../../core/crypto/api-key.ts';
import { createDataKey, type KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import { makeId } from '../../core/ids.ts';
import { insertAccount } from '../../db/accounts.ts';
import { insertApiKey } from '../../db/api-keys.ts';
import type { Database } from '../../db/knex.ts';

export interface SeededAccount {
  accountId: string;
  /** The key itself; only its hash is in the database. */
  apiKey: string;
}

/** An account with one key of scope `full`. */
export async function seedAccount(db: Database, keys: KeyEncryptionKeys): Promise<SeededAccount> {
  const accountId = makeId('account', Date.now(), randomUUID());
  const { wrapped } = createDataKey(keys, accountId);
  const { value, ...stored } = mintApiKey('account');
  await db.transaction(async (trx) => {
    await insertAccount(trx, { id: accountId, name: 'Demonstration', wrappedDataKey: wrapped });
    await insertApiKey(trx, {
      ...stored,
      id: makeId('apiKey', Date.now(), randomUUID()),
      accountId,
      recordId: null,
      kind: 'account',
      scope: 'full',
      name: 'npm start',
    });
  });
  return { accountId, apiKey: value };
}
