// Ephemeral sessions: a token, the one record that it controls, and the throwaway account that goes with the record.
// Whoever ends a session (its time, its owner, a keep) does so under the lock of the record's row: one of them wins.
import { holdAccount, insertAccount, type NewAccount } from '../accounts/accounts.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import {
  insertRecord,
  lockRecord,
  type LockedRecord,
  markRecordDeleted,
  type NewRecord,
} from '../records/records.ts';
import type { SealedCredentials } from '../records/source-credentials.ts';
import { extraChecksSubject, rereadsSubject, sessionCallsSubject } from '../usage/usage-counters.ts';

export interface NewSession {
  id: string;
  /** SHA-256 of the token. */
  tokenHash: Buffer;
  account: NewAccount;
  record: NewRecord;
  credentials: SealedCredentials | null;
  lengthSeconds: number;
}

export interface SessionTimes {
  expiresAt: Date;
  secondsLeft: number;
}

/** Inserts all that a session is made of. @returns when it ends, by the database's clock */
export async function insertSession(trx: Knex.Transaction, session: NewSession): Promise<Date> {
  const { id, tokenHash, account, record, lengthSeconds } = session;
  await insertAccount(trx, account);
  await insertRecord(trx, record, session.credentials);
  const [row] = await rawRows<{ expiresAt: Date }>(
    trx,
    `insert into ephemeral_sessions (id, account_id, record_id, token_hash, expires_at)
     values (?, ?, ?, ?, now() + ?::double precision * interval '1 second') returning expires_at as "expiresAt"`,
    [id, account.id, record.id, tokenHash, lengthSeconds],
  );
  if (row === undefined) throw new Error('A session was inserted and is not there');
  return row.expiresAt;
}

export async function findSessionTimes(db: Database, id: string): Promise<SessionTimes | undefined> {
  const [times] = await rawRows<SessionTimes>(
    db,
    `select expires_at as "expiresAt", extract(epoch from expires_at - now())::double precision as "secondsLeft"
     from ephemeral_sessions where id = ? and ended_at is null and expires_at > now()`,
    [id],
  );
  return times;
}

export interface HostUse {
  records: number;
  /** Until the first of them goes; null when there is none. */
  firstGoesInSeconds: number | null;
}

/**
 * How many anonymous records watch a host (without port, and whether or not a dot ends it). Asked one after the other
 * for the same host until the end of the transaction, so that two which are asked at once do not both find the last
 * place free.
 */
export async function countHostUse(trx: Knex.Transaction, hostname: string): Promise<HostUse> {
  const host = hostname.replace(/\.$/, '');
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('anonymous records of ' || ?, 0))`, [host]);
  const [use] = await rawRows<HostUse>(
    trx,
    `select count(*) as records,
       extract(epoch from min(expires_at) - now())::double precision as "firstGoesInSeconds"
     from records join ephemeral_sessions on record_id = records.id
     where tier = 'anonymous' and deleted_at is null
       and substring(url from '://(\\[[^]]*]|[^/:]+)') in (?, ?)`,
    [host, `${host}.`],
  );
  return use ?? { records: 0, firstGoesInSeconds: null };
}

/**
 * Deletes the record of a session whose time is over.
 * @returns false when there is no such session (any more): its record was kept
 */
export function endSessionInTime(db: Database, recordId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    const locked = await rawRows(trx, 'select from records where id = ? for no key update', [recordId]);
    // Asked only now that the lock is held: a keep that was faster has taken the session away.
    const over = await rawRows(
      trx,
      'select from ephemeral_sessions where record_id = ? and expires_at <= clock_timestamp()',
      [recordId],
    );
    if (locked.length === 0 || over.length === 0) return false;
    await markRecordDeleted(trx, recordId);
    return true;
  });
}

/** A record whose session is locked for a keep. */
export interface SessionRecord extends LockedRecord {
  sessionId: string;
}

/**
 * Finds and locks the record that a token controls, until the end of the transaction.
 * @returns undefined when the token is none of a session that goes on
 */
export async function lockSessionRecord(
  trx: Knex.Transaction,
  tokenHash: Buffer,
): Promise<SessionRecord | undefined> {
  const [named] = await findOpenSession(trx, tokenHash);
  if (named === undefined) return undefined;
  const record = await lockRecord(trx, { id: named.recordId, accountId: named.accountId });
  // Asked again under the lock: somebody else may have ended it meanwhile.
  const [session] = await findOpenSession(trx, tokenHash);
  return record === undefined || session === undefined ? undefined : { ...record, sessionId: session.id };
}

function findOpenSession(
  trx: Knex.Transaction,
  tokenHash: Buffer,
): Promise<{ id: string; recordId: string; accountId: string }[]> {
  return rawRows(
    trx,
    `select id, record_id as "recordId", account_id as "accountId" from ephemeral_sessions
     where token_hash = ? and ended_at is null and expires_at > clock_timestamp()`,
    [tokenHash],
  );
}

export interface KeptRecord {
  accountId: string;
  slug: string;
  name: string;
  /** The same secret, sealed for the new account; null when there is none. */
  sealed: Buffer | null;
}

/**
 * Hands a locked record over to an account, with all that hangs on it, and removes its session and throwaway account.
 * @throws UniqueViolationError when the account has a record of that slug, ApiError when the account is deleted
 */
export async function moveRecord(
  trx: Knex.Transaction,
  { id: recordId, accountId: throwawayId, sessionId }: SessionRecord,
  { accountId, slug, name, sealed }: KeptRecord,
): Promise<void> {
  await holdAccount(trx, accountId);
  await trx('records')
    .where({ id: recordId })
    .update({ accountId, slug, name, tier: 'free', updatedAt: trx.fn.now() });
  if (sealed !== null) await trx('source_credentials').where({ recordId }).update({ sealed });
  await forgetUse(trx, sessionId, recordId);
  // The session goes with it.
  await trx('accounts').where({ id: throwawayId }).delete();
}

/**
 * Removes the throwaway account of a record's session, if it has one, and the record and the session with it.
 * @returns whether it had one
 */
export async function removeSession(trx: Knex.Transaction, recordId: string): Promise<boolean> {
  const [session] = await rawRows<{ id: string; accountId: string }>(
    trx,
    'select id, account_id as "accountId" from ephemeral_sessions where record_id = ?',
    [recordId],
  );
  if (session === undefined) return false;
  await forgetUse(trx, session.id, recordId);
  await trx('accounts').where({ id: session.accountId }).delete();
  return true;
}

/** What was counted for a session, and the answers to its repeated requests. */
async function forgetUse(trx: Knex.Transaction, sessionId: string, recordId: string): Promise<void> {
  const subjects = [sessionCallsSubject(sessionId), extraChecksSubject(recordId), rereadsSubject(recordId)];
  await trx('usage_counters').whereIn('subject', subjects).delete();
  await trx('idempotency_keys').where({ credentialId: sessionId }).delete();
}
