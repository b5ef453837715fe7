// Sealed credentials with which a record is fetched from its origin. Only fetching and keeping a record read them.
import type { AuthType } from '../../core/source-credentials.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';

export interface SealedCredentials {
  /** The scheme://host:port that they were sealed for. */
  origin: string;
  sealed: Buffer;
}

/** Credentials with what is needed to open them: the record's account and its data key. */
export interface StoredCredentials {
  accountId: string;
  wrappedDataKey: Buffer;
  /** Null when none are stored, although the record has a type of credentials. */
  sealed: Buffer | null;
}

/**
 * A record's credentials, if they still have this version.
 * @returns undefined when they have changed since, or the record no longer exists
 */
export async function findCredentials(
  db: Database,
  recordId: string,
  authVersion: number,
): Promise<StoredCredentials | undefined> {
  const [found] = await rawRows<StoredCredentials>(
    db,
    `select accounts.id as "accountId", wrapped_data_key as "wrappedDataKey", sealed
     from records join accounts on accounts.id = records.account_id
     left join source_credentials on record_id = records.id
     where records.id = ? and auth_version = ?`,
    [recordId, authVersion],
  );
  return found;
}

/** Inserts the credentials of a record that has none. */
export async function insertCredentials(
  trx: Knex.Transaction,
  recordId: string,
  credentials: SealedCredentials,
): Promise<void> {
  await trx('source_credentials').insert({ recordId, ...credentials });
}

/** Replaces the record's credentials and increments their version. @param credentials null for the type `none` */
export async function replaceCredentials(
  trx: Knex.Transaction,
  recordId: string,
  authType: AuthType,
  credentials: SealedCredentials | null,
): Promise<void> {
  await trx.raw('update records set auth_type = ?, auth_version = auth_version + 1 where id = ?', [
    authType,
    recordId,
  ]);
  await trx('source_credentials').where({ recordId }).delete();
  if (credentials !== null) await insertCredentials(trx, recordId, credentials);
}
