// Where people are signed in, and the tokens with which the dashboard calls the API for them.
import { type Database, rawRows } from './knex.ts';

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

/** Ends all of the user's sessions but one. */
export async function endOtherLoginSessions(db: Database, userId: string, id: string): Promise<void> {
  await db('loginSessions').where({ userId }).whereNot({ id }).delete();
}

/** Held until the transaction ends: a session that was ended before it does nothing any more. */
export async function holdLogin(trx: Database, id: string): Promise<boolean> {
  const held = await trx('loginSessions').where({ id }).whereRaw('expires_at > now()').forShare().first('id');
  return held !== undefined;
}

const PRUNED_AT_ONCE = 100;

/** Deletes some of the sessions that are over. */
export async function pruneLoginSessions(db: Database): Promise<void> {
  await rawRows(
    db,
    `delete from login_sessions where id in
       (select id from login_sessions where expires_at < now() limit ? for update skip locked)`,
    [PRUNED_AT_ONCE],
  );
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
