// Finds the record that a command names.
import { isIdReference } from '../../core/ids.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findIdBySlug } from '../../db/access/account-overviews.ts';
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import { misuse, noSuchThing } from '../operator/fail.ts';

/** @throws CommanderError when there is none, or none of that account */
export async function findNamedRecord(
  db: Database,
  reference: string,
  accountId: string | undefined,
): Promise<TrackedRecord> {
  const id = isIdReference(reference) ? reference : await findBySlug(db, reference, accountId);
  const record = id === undefined ? undefined : await findRecord(db, id);
  if (record === undefined || (accountId !== undefined && record.accountId !== accountId)) {
    throw noSuchThing(`record ${reference}${accountId === undefined ? '' : ` of the account ${accountId}`}`);
  }
  return record;
}

/** @throws CommanderError when there is none of that account */
export const findRecordId = async (db: Database, reference: string, accountId: string): Promise<string> =>
  (await findNamedRecord(db, reference, accountId)).id;

function findBySlug(db: Database, slug: string, accountId: string | undefined): Promise<string | undefined> {
  if (accountId === undefined) throw misuse('A slug names a record of one account: give --account as well.');
  return findIdBySlug(db, accountId, slug);
}
