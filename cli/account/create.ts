// `account create`
import { presentApiKey } from '../../api/resources/api-key.ts';
import type { KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import type { Database } from '../../db/driver/knex.ts';
import { closedDataKeys, countDataKeys } from '../../db/accounts/data-keys.ts';
import { checkName } from '../operator/check-fields.ts';
import { fields, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';
import { createAccount } from './create-account.ts';

export interface CreateAccountOptions extends Printing {
  name: string;
  keyName: string;
}

/** @throws Error when the key-encryption keys are not set, or are not those of the other accounts */
export async function create({ name, keyName, ...printing }: CreateAccountOptions): Promise<void> {
  checkName('--name', name);
  checkName('--key-name', keyName);
  const { accountId, apiKey, value } = await withDatabase(async (db, { keyEncryptionKeys }) => {
    await checkKeys(db, keyEncryptionKeys);
    return createAccount(db, keyEncryptionKeys, { name, keyName });
  });
  const created = { id: accountId, name, apiKey: { ...presentApiKey(apiKey), key: value } };
  print(printing, created, () =>
    [
      fields({ Account: accountId, Name: name, 'API key': value, Scope: apiKey.scope }),
      '',
      'The key is shown this once. Send it as Authorization: Bearer <key>.',
    ].join('\n'),
  );
}

/** Secrets of an account that was made under other keys could be opened by no other process. */
async function checkKeys(db: Database, keys: KeyEncryptionKeys): Promise<void> {
  if (keys.size === 0) throw new Error('KEY_ENCRYPTION_KEYS is not set: give the value that the API has.');
  const [first] = keys.keys();
  const counted = await countDataKeys(db);
  const sampled = counted.flatMap(({ samples }) => samples.map(({ accountId }) => accountId));
  const newest = sampled.toSorted().at(-1);
  // The keys of other accounts may be lost.
  const asked = counted.filter(
    ({ keyId, samples }) => keyId === first || samples.some(({ accountId }) => accountId === newest),
  );
  if (closedDataKeys(keys, asked) === undefined) return;
  throw new Error(
    'KEY_ENCRYPTION_KEYS does not open what is in this database: give the value that the API has.',
  );
}
