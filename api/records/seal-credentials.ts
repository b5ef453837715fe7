// Seals source credentials for their account, record and origin.
import { openField, sealField, sourceCredentialsContext, unwrapDataKey } from '../../core/crypto/envelope.ts';
import type { Config } from '../../core/config.ts';
import { authFieldsOf, type GivenAuth, originOf } from '../../core/source-credentials.ts';
import type { AccountModel } from '../../db/accounts/accounts.ts';
import type { SealedCredentials } from '../../db/records/source-credentials.ts';

type Owner = Pick<AccountModel, 'id' | 'wrappedDataKey'>;
type Keys = Pick<Config, 'keyEncryptionKeys'>;

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

/**
 * Seals the same secret for another account.
 * @throws Error when it cannot be opened
 */
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
