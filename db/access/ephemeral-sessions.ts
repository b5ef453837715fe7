// Ephemeral sessions: a token, the one record that it controls, and the record's temporary account. A session ends by time,
// by its owner or by a keep, each under the lock of the record's row, so that exactly one of them wins.
import { fn } from 'objection';
import { AccountModel, insertAccount, lockAccount, type NewAccount } from '../accounts/accounts.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { moveFeedEvents } from '../feeds/move-feed.ts';
import { lockRecord, type LockedRecord } from '../records/lock-record.ts';
import { insertRecord, markRecordDeleted, type NewRecord, RecordModel } from '../records/records.ts';
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

/** Inserts a session with its account and record. @returns when it ends, by the database's clock */
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

/** @returns how many sessions are open, and the time until the first of them ends; null when there is none */
export async function countOpenSessions(
  db: Database,
): Promise<{ open: number; firstGoesInSeconds: number | null }> {
  const [counted] = await rawRows<{ open: number; firstGoesInSeconds: number | null }>(
    db,
    `select count(*) as open, extract(epoch from min(expires_at) - now())::double precision as "firstGoesInSeconds"
     from ephemeral_sessions where expires_at > now() and ended_at is null`,
  );
  return counted ?? { open: 0, firstGoesInSeconds: null };
}

export interface HostUse {
  records: number;
  /** The time until the first of them ends; null when there is none. */
  firstGoesInSeconds: number | null;
}

/**
 * Counts the anonymous records that watch a host (without port, with or without a final dot). Transactions that count the
 * same host run one after the other, so that two cannot both take the last slot.
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
 * Deletes the record of an expired session.
 * @returns false when there is no such session, for example because its record was kept
 */
export function endSessionInTime(db: Database, recordId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    const locked = await rawRows(trx, 'select from records where id = ? for no key update', [recordId]);
    // Read under the lock: a keep that came first has removed the session.
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
 * @returns undefined when the token belongs to no open session
 */
export async function lockSessionRecord(
  trx: Knex.Transaction,
  tokenHash: Buffer,
): Promise<SessionRecord | undefined> {
  const [named] = await findOpenSession(trx, tokenHash);
  if (named === undefined) return undefined;
  const record = await lockRecord(trx, { id: named.recordId, accountId: named.accountId });
  // Read again under the lock: another transaction may have ended the session meanwhile.
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
 * Moves a locked record with its data to an account, and removes its session and temporary account.
 * @throws UniqueViolationError when the account has a record of that slug, ApiError when the account is deleted
 */
export async function moveRecord(
  trx: Knex.Transaction,
  { id: recordId, accountId: temporaryId, sessionId }: SessionRecord,
  { accountId, slug, name, sealed }: KeptRecord,
): Promise<void> {
  await lockAccount(trx, accountId);
  await RecordModel.query(trx)
    .findById(recordId)
    .patch({ accountId, slug, name, tier: 'free', updatedAt: fn.now() });
  if (sealed !== null) await trx('source_credentials').where({ recordId }).update({ sealed });
  await deleteUsage(trx, sessionId, recordId);
  await moveFeedEvents(trx, recordId, temporaryId, accountId);
  // Deletes the session and its feed too.
  await AccountModel.query(trx).deleteById(temporaryId);
}

/**
 * Removes the temporary account of a record's session, and with it the record and the session.
 * @returns false when the record has no session
 */
export async function removeSession(trx: Knex.Transaction, recordId: string): Promise<boolean> {
  const [session] = await rawRows<{ id: string; accountId: string }>(
    trx,
    'select id, account_id as "accountId" from ephemeral_sessions where record_id = ?',
    [recordId],
  );
  if (session === undefined) return false;
  await deleteUsage(trx, session.id, recordId);
  await AccountModel.query(trx).deleteById(session.accountId);
  return true;
}

/** Deletes the counts of a session and the stored answers to its requests. */
async function deleteUsage(trx: Knex.Transaction, sessionId: string, recordId: string): Promise<void> {
  const subjects = [sessionCallsSubject(sessionId), extraChecksSubject(recordId), rereadsSubject(recordId)];
  await trx('usage_counters').whereIn('subject', subjects).delete();
  await trx('idempotency_keys').where({ credentialId: sessionId }).delete();
}

/** The records among these that are deleted, or whose session has ended. */
export async function listDeletedOrEnded(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    `select wanted.id from unnest(?::text[]) as wanted (id)
     left join records on records.id = wanted.id and records.deleted_at is null
     left join ephemeral_sessions sessions on sessions.record_id = records.id
     where records.id is null or sessions.expires_at <= now()`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}
