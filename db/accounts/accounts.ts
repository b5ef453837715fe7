// Accounts: owners of records and keys.
import { Model } from 'objection';
import { ApiError } from '../../core/errors.ts';
import { type Database, rawRows } from '../driver/knex.ts';

export class AccountModel extends Model {
  static override tableName = 'accounts';
  declare id: string;
  declare name: string;
  declare wrappedDataKey: Buffer;
  declare createdAt: Date;
  /** Since then nothing gets in, and what is left of the account is being erased. */
  declare deletedAt: Date | null;
}

export interface NewAccount {
  id: string;
  name: string;
  /** From core/crypto/envelope.ts: the key that seals the account's secrets, itself sealed. */
  wrappedDataKey: Buffer;
}

export async function insertAccount(db: Database, account: NewAccount): Promise<void> {
  await AccountModel.query(db).insert(account);
}

/** One that is not deleted. */
export async function findAccount(db: Database, id: string): Promise<AccountModel | undefined> {
  return await AccountModel.query(db).findById(id).whereNull('deletedAt');
}

/**
 * Holds an account until the transaction ends, so that nothing is added to one that was deleted before.
 * @throws ApiError unauthenticated when it is deleted
 */
export async function holdAccount(trx: Database, id: string): Promise<void> {
  const held = await rawRows(trx, 'select from accounts where id = ? and deleted_at is null for share', [id]);
  if (held.length === 0) throw new ApiError('unauthenticated', 'This account was deleted.');
}
