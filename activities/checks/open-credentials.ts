// Opens the source credentials of a record. This happens inside the activity that sends them, so they appear in no workflow
// history and no log.
import { openField, sourceCredentialsContext, unwrapDataKey } from '../../core/crypto/envelope.ts';
import { CheckError } from '../../core/errors.ts';
import { type AuthFields, credentialsToSend, originOf } from '../../core/source-credentials.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { findCredentials, type StoredCredentials } from '../../db/records/source-credentials.ts';
import type { ActivityDeps } from '../deps.ts';
import type { OriginCredentials } from '../fetch/open-origin.ts';

/**
 * Credentials are sealed for one origin, and open only for a record whose URL has that origin.
 * @throws CheckError credentials_unreadable, also when the key-encryption key is missing
 * @throws Error the credentials changed after the record was read; a retry reads both again
 */
export async function openCredentials(deps: ActivityDeps, record: TrackedRecord): Promise<OriginCredentials> {
  if (record.authType === 'none') return {};
  const stored = await findCredentials(deps.db, record.id, record.authVersion);
  if (stored === undefined) throw new Error('The credentials changed after the record was read');
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
  if (sealed === null) throw new Error('The sealed credentials are missing');
  const dataKey = unwrapDataKey(config.keyEncryptionKeys, accountId, wrappedDataKey);
  const context = sourceCredentialsContext(accountId, record.id, originOf(record.url));
  // The API seals the fields of the record's type; credentialsToSend validates each.
  return JSON.parse(openField(dataKey, sealed, context)) as AuthFields;
}
