// Accounts: owners of records and keys.
import { Model } from 'objection';
import type { Database } from './knex.ts';

export class AccountModel extends Model {
  static override tableName = 'accounts';
  declare id: string;
  declare name: string;
  declare wrappedDataKey: Buffer;
  declare createdAt: Date;
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

export async function findAccount(db: Database, id: string): Promise<AccountModel | undefined> {
  return await AccountModel.query(db).findById(id);
}
