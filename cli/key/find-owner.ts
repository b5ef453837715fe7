// Finds the owner of the keys that a command is about: the account, or one of its records.
import type { KeyOwner } from '../../db/access/api-keys.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findAccount } from '../../db/accounts/accounts.ts';
import { noSuchThing } from '../operator/fail.ts';
import { findRecordId } from '../record/find-record.ts';

/** @throws CommanderError when there is no such account or record */
export async function findOwner(
  db: Database,
  accountId: string,
  reference: string | undefined,
): Promise<KeyOwner> {
  if ((await findAccount(db, accountId)) === undefined) throw noSuchThing(`account ${accountId}`);
  return {
    accountId,
    recordId: reference === undefined ? null : await findRecordId(db, reference, accountId),
  };
}
