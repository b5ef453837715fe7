// Deleting an account. At once nothing gets in and nothing runs; each record's workflow then erases the record, and what is
// left of the account after that is erased here, in bounded steps.
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { accountCallsSubject } from '../usage/usage-counters.ts';

export interface DeletedAccount {
  /** Addresses of its users. */
  emails: string[];
  /** Records whose workflows have to be told; those that are not are found by reconciling. */
  recordIds: string[];
}

/**
 * Ends every credential, login and link of an account, its records and its webhooks' deliveries, in one transaction. The key
 * that opens its secrets is gone with it. The addresses of its users are free again.
 * @param toTell how many ids of records to give back at most
 * @returns undefined when there is no such account, or it is deleted already
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

/** Keys of its records end with the records. */
async function endCredentials(trx: Knex.Transaction, accountId: string): Promise<void> {
  await trx('api_keys')
    .where({ accountId, recordId: null, revokedAt: null })
    .update({ revokedAt: trx.fn.now() });
  await trx('ephemeral_sessions').where({ accountId, endedAt: null }).update({ endedAt: trx.fn.now() });
  const clients = await trx('connected_clients').where({ accountId }).delete().returning(['id', 'grantId']);
  await trx('oauth_objects').whereIn('grantId', clients.map(({ grantId }) => grantId)).delete(); // prettier-ignore
  await trx('idempotency_keys').whereIn('credentialId', clients.map((client) => client.id)).delete(); // prettier-ignore
}

/** Links, sessions, users: in the order of a change of password, so that neither waits for the other for ever. */
async function deleteUsers(trx: Knex.Transaction, accountId: string): Promise<string[]> {
  const users: { id: string }[] = await trx('users').where({ accountId }).select('id');
  const ids = users.map(({ id }) => id);
  // Those of the library are about the id alone.
  await trx('verifications').whereIn('userId', ids).orWhereIn('value', ids).delete();
  const sessions = await trx('login_sessions').whereIn('userId', ids).delete().returning('id');
  await trx('idempotency_keys').whereIn('credentialId', sessions.map(({ id }) => id)).delete(); // prettier-ignore
  const deleted: { email: string }[] = await trx('users').where({ accountId }).delete().returning('email');
  return deleted.map(({ email }) => email);
}

/**
 * Deleted accounts whose records are all erased. Marks records first that a process of the version before has added to a
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
 * Erases at most `limit` lines of each kind of a deleted account without records, and the account once nothing else is left.
 * @returns whether there is nothing to erase any more
 */
export function eraseSomeOfAccount(db: Database, id: string, limit: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    const erased =
      (await deleteSome(trx, 'idempotency_keys', KEYS_ANSWERS, id, limit)) +
      (await deleteSome(trx, 'oauth_objects', `payload ->> 'accountId' = :id`, id, limit));
    if (erased > 0) return false;
    if ((await deleteSome(trx, 'api_keys', 'account_id = :id', id, limit)) > 0) return false;
    await trx('usage_counters')
      .where({ subject: accountCallsSubject(id) })
      .delete();
    await trx('accounts').where({ id }).whereNotNull('deletedAt').delete();
    return true;
  });
}

const KEYS_ANSWERS = 'credential_id in (select id from api_keys where account_id = :id)';

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
