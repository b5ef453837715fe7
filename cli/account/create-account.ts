// Makes an account with its first key, straight in the database: no key exists yet to ask the API with, and the
// plan's lock on keys does not cover the first one.
import { newApiKey } from '../../api/keys/new-api-keys.ts';
import { newId } from '../../api/contract/new-id.ts';
import { createDataKey, type KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import { insertAccount } from '../../db/accounts/accounts.ts';
import { insertApiKey, type PublicApiKey } from '../../db/access/api-keys.ts';
import type { Database } from '../../db/driver/knex.ts';
import { auditOperator } from '../operator/audit.ts';

export interface CreatedAccount {
  accountId: string;
  apiKey: PublicApiKey;
  /** The key itself; only its hash is in the database. */
  value: string;
}

/** An account with one key of scope `full`. */
export async function createAccount(
  db: Database,
  keys: KeyEncryptionKeys,
  { name, keyName }: { name: string; keyName: string },
): Promise<CreatedAccount> {
  const accountId = newId('account', Date.now());
  const { wrapped } = createDataKey(keys, accountId);
  const { value, key } = newApiKey(
    { accountId, recordId: null },
    { name: keyName, scope: 'full' },
    Date.now(),
  );
  const apiKey = await db.transaction(async (trx) => {
    await insertAccount(trx, { id: accountId, name, wrappedDataKey: wrapped });
    await auditOperator(trx, { action: 'account.create', accountId, target: { id: accountId, name } });
    await auditOperator(trx, { action: 'api_key.create', accountId, target: key });
    return insertApiKey(trx, key);
  });
  return { accountId, apiKey, value };
}
