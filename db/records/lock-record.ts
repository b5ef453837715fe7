// The locks of a record: on its settings, and on the time of its next check.
import { type Knex, rawRows } from '../driver/knex.ts';
import { RecordModel, scopeSql } from './records.ts';

const LOCKED_COLUMNS = [
  'id',
  'accountId',
  'slug',
  'name',
  'url',
  'tier',
  'authType',
  'authVersion',
  'format',
  'delimiter',
  'rowsPath',
  'headerRow',
  'quoting',
  'keyFields',
  'ignoreFields',
  'rules',
  'pairing',
  'dialectVersion',
  'checkIntervalSeconds',
  'labels',
  'quietHours',
] as const;

export type LockedRecord = Pick<RecordModel, (typeof LOCKED_COLUMNS)[number]> & {
  /** The generation of the stored rows, or of the first ones to come. */
  generation: number;
};

/**
 * Locks a record of an account until the end of the transaction, and reads it. Neither the commit of a check nor the
 * creation of a key waits for this lock.
 * @returns undefined when the account has no record with this id
 */
export async function lockRecord(
  trx: Knex.Transaction,
  { id, accountId }: Pick<RecordModel, 'id' | 'accountId'>,
): Promise<LockedRecord | undefined> {
  const record = await RecordModel.query(trx)
    .select(...LOCKED_COLUMNS)
    .whereRaw(scopeSql(':accountId', ':id::text'), { accountId, id })
    .forNoKeyUpdate()
    .first();
  if (record === undefined) return undefined;
  // Read under the lock: a check that was being committed may have begun a generation.
  const head = await trx<{ recordId: string; generation: number }>('record_heads')
    .where({ recordId: id })
    .first('generation');
  return head && Object.assign(record, { generation: head.generation });
}

/** Call it before lockRecord: a commit, which may lock both, locks the head first (db/commit/start-over.ts). */
export async function lockNextCheck(trx: Knex.Transaction, id: string): Promise<void> {
  await rawRows(trx, 'select from record_heads where record_id = ? for no key update', [id]);
}
