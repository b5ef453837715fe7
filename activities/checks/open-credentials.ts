// Opens what a record shows its origin, inside the activity that sends it: it passes through no workflow and no log.
import { openField, unwrapDataKey } from '../../core/crypto/envelope.ts';
import { CheckError } from '../../core/errors.ts';
import { sourceCredentialsContext } from '../../core/seal-contexts.ts';
import { type AuthFields, credentialsToSend, originOf } from '../../core/source-credentials.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { findCredentials, type StoredCredentials } from '../../db/records/source-credentials.ts';
import type { ActivityDeps } from '../deps.ts';
import type { OriginCredentials } from '../outbound/open-origin.ts';

/**
 * For the URL of this very record and no other: what was sealed for another origin does not open.
 * @throws CheckError credentials_unreadable, for a key-encryption key that is gone as well
 * @throws Error when the credentials have changed since the record was read: a second try reads both anew
 */
export async function openCredentials(deps: ActivityDeps, record: TrackedRecord): Promise<OriginCredentials> {
  if (record.authType === 'none') return {};
  const stored = await findCredentials(deps.db, record.id, record.authVersion);
  if (stored === undefined) throw new Error('The credentials changed while the check began');
  try {
    return credentialsToSend(record.authType, open(deps, record, stored));
  } catch (err) {
    deps.log.error({ err, recordId: record.id }, 'source credentials cannot be opened');
    throw new CheckError('credentials_unreadable');
  }
}

function open(
  { config }: ActivityDeps,
  record: TrackedRecord,
  { accountId, wrappedDataKey, sealed }: StoredCredentials,
): AuthFields {
  if (sealed === null) throw new Error('The sealed credentials are gone');
  const dataKey = unwrapDataKey(config.keyEncryptionKeys, accountId, wrappedDataKey);
  const context = sourceCredentialsContext(accountId, record.id, originOf(record.url));
  // Sealed by the API as the fields of the record's type; credentialsToSend looks at each.
  return JSON.parse(openField(dataKey, sealed, context)) as AuthFields;
}
