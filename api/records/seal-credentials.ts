// Sealing of what a record shows its origin: for its account, its id and its origin, and no other.
import { openField, sealField, sourceCredentialsContext, unwrapDataKey } from '../../core/crypto/envelope.ts';
import type { Config } from '../../core/config.ts';
import { authFieldsOf, type GivenAuth, originOf } from '../../core/source-credentials.ts';
import { type AccountModel, findAccount } from '../../db/accounts/accounts.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { SealedCredentials } from '../../db/records/source-credentials.ts';

type Owner = Pick<AccountModel, 'id' | 'wrappedDataKey'>;
type Keys = Pick<Config, 'keyEncryptionKeys'>;

/** Whose secrets are sealed. @throws Error when the account is gone */
export async function findOwner(db: Database, accountId: string): Promise<Owner> {
  const account = await findAccount(db, accountId);
  if (account === undefined) throw new Error('The account vanished while a secret was being sealed for it');
  return account;
}

/** @returns null for the type `none` */
export function sealCredentials(
  { keyEncryptionKeys }: Keys,
  owner: Owner,
  record: { id: string; url: string },
  given: GivenAuth,
): SealedCredentials | null {
  if (given.authType === undefined || given.authType === 'none') return null;
  const dataKey = unwrapDataKey(keyEncryptionKeys, owner.id, owner.wrappedDataKey);
  const origin = originOf(record.url);
  const text = JSON.stringify(authFieldsOf(given));
  return { origin, sealed: sealField(dataKey, text, sourceCredentialsContext(owner.id, record.id, origin)) };
}

/** The same secret, for another account. @throws Error when it cannot be opened */
export function resealCredentials(
  { keyEncryptionKeys }: Keys,
  sealed: Buffer,
  record: { id: string; url: string },
  { from, to }: { from: Owner; to: Owner },
): Buffer {
  const context = (owner: Owner) => sourceCredentialsContext(owner.id, record.id, originOf(record.url));
  const open = unwrapDataKey(keyEncryptionKeys, from.id, from.wrappedDataKey);
  const seal = unwrapDataKey(keyEncryptionKeys, to.id, to.wrappedDataKey);
  return sealField(seal, openField(open, sealed, context(from)), context(to));
}
