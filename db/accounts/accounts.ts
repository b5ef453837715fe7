// Accounts, which own records and keys. Deleting one blocks it at once: no credential works and no check runs. The workflow of
// each record then erases the record, and functions of this file erase the rest in bounded steps.
import { Model } from 'objection';
import { ApiError } from '../../core/errors.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { accountCallsSubject, accountMailsSubject } from '../usage/usage-counters.ts';

export class AccountModel extends Model {
  static override tableName = 'accounts';
  declare id: string;
  declare name: string;
  declare wrappedDataKey: Buffer;
  declare createdAt: Date;
  /** From then on no credential works, and the account's data are being erased. */
  declare deletedAt: Date | null;
}

export interface NewAccount {
  id: string;
  name: string;
  /** The sealed key that seals the account's secrets (core/crypto/envelope.ts). */
  wrappedDataKey: Buffer;
}

export async function insertAccount(db: Database, account: NewAccount): Promise<void> {
  await AccountModel.query(db).insert(account);
}

/** Finds an account that is not deleted. */
export async function findAccount(db: Database, id: string): Promise<AccountModel | undefined> {
  return await AccountModel.query(db).findById(id).whereNull('deletedAt');
}

/** @throws Error when it was deleted, which ends every request of the account */
export async function requireAccount(db: Database, id: string): Promise<AccountModel> {
  const account = await findAccount(db, id);
  if (account === undefined) throw new Error('The account was deleted during the request');
  return account;
}

/**
 * Locks an account until the transaction ends, so that nothing is added to a deleted account.
 * @param mode `alone` keeps out other transactions that lock it, so that what is counted stays true. Take it before a shared
 * lock: two transactions that hold shared ones would wait for each other.
 * @throws ApiError unauthenticated when it is deleted
 */
export async function lockAccount(
  trx: Database,
  id: string,
  mode: 'shared' | 'alone' = 'shared',
): Promise<void> {
  const found = AccountModel.query(trx).select('id').findById(id).whereNull('deletedAt');
  const account = await (mode === 'alone' ? found.forNoKeyUpdate() : found.forShare());
  if (account === undefined) throw new ApiError('unauthenticated', 'This account was deleted.');
}

/** Call it with the account locked alone. */
export async function hasMoreRecordsThan(db: Database, accountId: string, count: number): Promise<boolean> {
  const records = db<{ id: string; accountId: string; deletedAt: Date | null }>('records');
  const beyond = await records.where({ accountId }).whereNull('deletedAt').select('id').offset(count).first();
  return beyond !== undefined;
}

export interface DeletedAccount {
  /** The addresses of its users. */
  emails: string[];
  /** Records whose workflows should be told. Reconciling finds those that are not. */
  recordIds: string[];
}

/**
 * Ends every credential, login and link of an account, its records and its webhooks' deliveries, in one transaction. It
 * also removes the key that opens the account's secrets, and frees the addresses of its users.
 * @param toTell the most ids of records to return
 * @returns undefined when there is no such account, or it was deleted before
 */
export function markAccountDeleted(
  db: Database,
  id: string,
  toTell: number,
): Promise<DeletedAccount | undefined> {
  return db.transaction(async (trx) => {
    const marked = await trx('accounts')
      .where({ id, deletedAt: null })
      .update({ deletedAt: trx.fn.now(), wrappedDataKey: Buffer.alloc(0) });
    if (marked === 0) return undefined;
    await endCredentials(trx, id);
    const emails = await deleteUsers(trx, id);
    const recordIds = await rawRows<{ id: string }>(
      trx,
      `with gone as (
         update records set deleted_at = now(), status = 'paused' where account_id = :id and deleted_at is null
         returning id
       )
       select id from gone limit :toTell`,
      { id, toTell },
    );
    return { emails, recordIds: recordIds.map((record) => record.id) };
  });
}

/** Does not end the keys of its records, which end with the records. */
async function endCredentials(trx: Knex.Transaction, accountId: string): Promise<void> {
  await trx('api_keys')
    .where({ accountId, recordId: null, revokedAt: null })
    .update({ revokedAt: trx.fn.now() });
  await trx('ephemeral_sessions').where({ accountId, endedAt: null }).update({ endedAt: trx.fn.now() });
  const clients = await trx('connected_clients').where({ accountId }).delete().returning(['id', 'grantId']);
  await trx('oauth_objects').whereIn('grantId', clients.map(({ grantId }) => grantId)).delete(); // prettier-ignore
  await trx('idempotency_keys').whereIn('credentialId', clients.map((client) => client.id)).delete(); // prettier-ignore
}

/** Deletes links, sessions and users in the order of a password change, so that the two cannot deadlock. */
async function deleteUsers(trx: Knex.Transaction, accountId: string): Promise<string[]> {
  const users: { id: string }[] = await trx('users').where({ accountId }).select('id');
  const ids = users.map(({ id }) => id);
  // The sign-in library's links hold only the user's id as their value.
  await trx('verifications').whereIn('userId', ids).orWhereIn('value', ids).delete();
  const sessions = await trx('login_sessions').whereIn('userId', ids).delete().returning('id');
  await trx('idempotency_keys').whereIn('credentialId', sessions.map(({ id }) => id)).delete(); // prettier-ignore
  const deleted: { email: string }[] = await trx('users').where({ accountId }).delete().returning('email');
  return deleted.map(({ email }) => email);
}

/**
 * Deleted accounts whose records are all erased. First marks records that a process of the previous version has added to a
 * deleted account.
 */
export async function listErasableAccounts(db: Database, limit: number): Promise<string[]> {
  await rawRows(
    db,
    `update records set deleted_at = now(), status = 'paused' from accounts
     where accounts.id = records.account_id and accounts.deleted_at is not null and records.deleted_at is null`,
  );
  const rows = await rawRows<{ id: string }>(
    db,
    `select id from accounts where deleted_at is not null
       and not exists (select from records where account_id = accounts.id)
     order by deleted_at limit ?`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Erases at most `limit` rows of each table of a deleted account without records, and the account itself once nothing else
 * is left.
 * @returns whether everything is erased
 */
export function eraseSomeOfAccount(db: Database, id: string, limit: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    const erased =
      (await deleteSome(trx, 'idempotency_keys', ANSWERS_TO_KEYS, id, limit)) +
      (await deleteSome(trx, 'oauth_objects', `payload ->> 'accountId' = :id`, id, limit));
    if (erased > 0) return false;
    for (const table of ['api_keys', 'audit_entries']) {
      if ((await deleteSome(trx, table, 'account_id = :id', id, limit)) > 0) return false;
    }
    await trx('usage_counters')
      .whereIn('subject', [accountCallsSubject(id), accountMailsSubject(id)])
      .delete();
    await trx('accounts').where({ id }).whereNotNull('deletedAt').delete();
    return true;
  });
}

const ANSWERS_TO_KEYS = 'credential_id in (select id from api_keys where account_id = :id)';

async function deleteSome(
  trx: Knex.Transaction,
  table: string,
  whose: string,
  id: string,
  limit: number,
): Promise<number> {
  const some = trx(table).select('ctid').whereRaw(whose, { id }).limit(limit);
  return trx(table).whereRaw('ctid = any(array(?))', [some]).delete();
}
