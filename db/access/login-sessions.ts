// Login sessions of users, and the tokens with which the dashboard calls the API for them.
import { type Database, rawRows } from '../driver/knex.ts';

export interface LoginSession {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  address: string;
  userAgent: string;
}

/** A user's open sessions, newest first. */
export async function listLoginSessions(db: Database, userId: string): Promise<LoginSession[]> {
  return db('loginSessions')
    .where({ userId })
    .whereRaw('expires_at > now()')
    .orderBy('id', 'desc')
    .select('id', 'createdAt', 'lastUsedAt', 'address', 'userAgent');
}

/** Ends one of the user's sessions and its tokens at once. @returns false when there is no such session */
export async function endLoginSession(db: Database, userId: string, id: string): Promise<boolean> {
  return (await db('loginSessions').where({ userId, id }).delete()) > 0;
}

/** Ends the session whose token has this hash. */
export async function endLoginSessionOfToken(db: Database, tokenHash: Buffer): Promise<void> {
  await db('loginSessions').where({ tokenHash }).delete();
}

/**
 * Ends all sessions of a user, except for the one whose token has the given hash.
 * @returns the ids of the ended sessions
 */
export async function endLoginSessions(
  db: Database,
  userId: string,
  exceptTokenHash?: Buffer,
): Promise<string[]> {
  const sessions = db('loginSessions').where({ userId });
  const ending = exceptTokenHash === undefined ? sessions : sessions.whereNot({ tokenHash: exceptTokenHash });
  const ended: { id: string }[] = await ending.delete().returning('id');
  return ended.map(({ id }) => id);
}

/** Ends all sessions of a user but one. */
export async function endOtherLoginSessions(db: Database, userId: string, id: string): Promise<void> {
  await db('loginSessions').where({ userId }).whereNot({ id }).delete();
}

/** Locks a session until the transaction ends. @returns false when it has ended */
export async function lockLogin(trx: Database, id: string): Promise<boolean> {
  const open = await trx('loginSessions').where({ id }).whereRaw('expires_at > now()').forShare().first('id');
  return open !== undefined;
}

/** Operations whose effect outlasts a session require a sign-in that is no older. */
export const RECENT_LOGIN_MINUTES = 15;

/** Whether the session's user signed in, or confirmed their password, in the last RECENT_LOGIN_MINUTES. */
export async function isLoginRecent(db: Database, id: string): Promise<boolean> {
  const recent = db('loginSessions')
    .where({ id })
    .whereRaw('coalesce(confirmed_at, created_at) > now() - make_interval(mins => ?)', [
      RECENT_LOGIN_MINUTES,
    ]);
  return (await recent.first('id')) !== undefined;
}

/** Records that the session's user has confirmed their password. */
export async function confirmLogin(db: Database, id: string): Promise<void> {
  await db('loginSessions').where({ id }).update({ confirmedAt: db.fn.now() });
}

/** Sessions, whose tokens are deleted with them, links, and requests for keys. */
const EXPIRING_TABLES = ['login_sessions', 'verifications', 'key_requests'] as const;

/**
 * Deletes at most `limit` expired sessions, links and requests for keys each. They hold addresses, and names and password
 * hashes of people who never completed their sign-up.
 * @returns how many were deleted
 */
export async function pruneLogins(db: Database, limit: number): Promise<number> {
  let deleted = 0;
  for (const table of EXPIRING_TABLES) {
    const expired = db(table)
      .select('id')
      .whereRaw('expires_at < now()')
      .limit(limit)
      .forUpdate()
      .skipLocked();
    deleted += await db(table).whereIn('id', expired).delete();
  }
  return deleted;
}

/**
 * Stores a token of the dashboard, and deletes the session's expired ones.
 * @returns when the token expires, at the latest with its session; undefined when the session has ended
 */
export async function insertDashboardToken(
  db: Database,
  { hash, sessionId, lengthSeconds }: { hash: Buffer; sessionId: string; lengthSeconds: number },
): Promise<Date | undefined> {
  const [row] = await rawRows<{ expiresAt: Date }>(
    db,
    `with expired as (delete from dashboard_tokens where session_id = :sessionId and expires_at < now())
     insert into dashboard_tokens (hash, session_id, expires_at)
     select :hash, id, least(expires_at, now() + :lengthSeconds * interval '1 second')
     from login_sessions where id = :sessionId and expires_at > now()
     returning expires_at as "expiresAt"`,
    { hash, sessionId, lengthSeconds },
  );
  return row?.expiresAt;
}
