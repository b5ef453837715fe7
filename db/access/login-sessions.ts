// Where people are signed in, and the tokens with which the dashboard calls the API for them.
import { type Database, rawRows } from '../driver/knex.ts';

export interface LoginSession {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  address: string;
  userAgent: string;
}

/** Of one user, those that last, newest first. */
export async function listLoginSessions(db: Database, userId: string): Promise<LoginSession[]> {
  return db('loginSessions')
    .where({ userId })
    .whereRaw('expires_at > now()')
    .orderBy('id', 'desc')
    .select('id', 'createdAt', 'lastUsedAt', 'address', 'userAgent');
}

/** Ends one of the user's sessions with its tokens, at once. @returns false when there is no such session */
export async function endLoginSession(db: Database, userId: string, id: string): Promise<boolean> {
  return (await db('loginSessions').where({ userId, id }).delete()) > 0;
}

/** Ends the session of a token, of which this is the hash. */
export async function endLoginSessionOfToken(db: Database, tokenHash: Buffer): Promise<void> {
  await db('loginSessions').where({ tokenHash }).delete();
}

/**
 * Ends all of the user's sessions; but not the one of a token, where its hash is given.
 * @returns the ids of those that it ended
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

/** Ends all of the user's sessions but one. */
export async function endOtherLoginSessions(db: Database, userId: string, id: string): Promise<void> {
  await db('loginSessions').where({ userId }).whereNot({ id }).delete();
}

/** Held until the transaction ends: a session that was ended before it does nothing any more. */
export async function holdLogin(trx: Database, id: string): Promise<boolean> {
  const held = await trx('loginSessions').where({ id }).whereRaw('expires_at > now()').forShare().first('id');
  return held !== undefined;
}

/** What outlasts a login asks for one that is no older. */
export const RECENT_LOGIN_MINUTES = 15;

/** Whether somebody signed in, or showed their password again, in the last RECENT_LOGIN_MINUTES. */
export async function isLoginRecent(db: Database, id: string): Promise<boolean> {
  const recent = db('loginSessions')
    .where({ id })
    .whereRaw('coalesce(confirmed_at, created_at) > now() - make_interval(mins => ?)', [
      RECENT_LOGIN_MINUTES,
    ]);
  return (await recent.first('id')) !== undefined;
}

/** Notes that somebody has shown their password again. */
export async function confirmLogin(db: Database, id: string): Promise<void> {
  await db('loginSessions').where({ id }).update({ confirmedAt: db.fn.now() });
}

/** Sessions with their tokens, and links. */
const ENDING = ['login_sessions', 'verifications'] as const;

/**
 * Deletes at most `limit` of each that are over: they hold addresses, and names and passwords of people who never
 * finished to sign up.
 * @returns how many
 */
export async function pruneLogins(db: Database, limit: number): Promise<number> {
  let deleted = 0;
  for (const table of ENDING) {
    const over = db(table).select('id').whereRaw('expires_at < now()').limit(limit).forUpdate().skipLocked();
    deleted += await db(table).whereIn('id', over).delete();
  }
  return deleted;
}

/**
 * Stores a token of the dashboard, in place of the session's expired ones.
 * @returns when it ends: never after its session; undefined when that is over
 */
export async function insertDashboardToken(
  db: Database,
  { hash, sessionId, lengthSeconds }: { hash: Buffer; sessionId: string; lengthSeconds: number },
): Promise<Date | undefined> {
  const [row] = await rawRows<{ expiresAt: Date }>(
    db,
    `with over as (delete from dashboard_tokens where session_id = :sessionId and expires_at < now())
     insert into dashboard_tokens (hash, session_id, expires_at)
     select :hash, id, least(expires_at, now() + :lengthSeconds * interval '1 second')
     from login_sessions where id = :sessionId and expires_at > now()
     returning expires_at as "expiresAt"`,
    { hash, sessionId, lengthSeconds },
  );
  return row?.expiresAt;
}
