// The objects of the authorization server: clients, grants, codes, tokens, browser sessions. Each is stored by the hash of its id.
import { hash } from 'node:crypto';
import { type Database, rawRows } from '../driver/knex.ts';

/** The library's JSON, whose members it chooses. */
type OAuthPayload = Readonly<Record<string, unknown>>;

export interface OAuthObject {
  kind: string;
  /** For codes, tokens and cookies this is the secret itself. */
  id: string;
  payload: OAuthPayload;
  /** The second id of a browser session. */
  uid: string | undefined;
  grantId: string | undefined;
  /** Null for an object that never expires. */
  lengthSeconds: number | null;
}

/** The form in which an id is stored. */
export const oauthIdHash = (id: string): Buffer => hash('sha256', id, 'buffer');

export async function putOAuthObject(db: Database, object: OAuthObject): Promise<void> {
  const { kind, id, payload, uid, grantId, lengthSeconds } = object;
  await rawRows(
    db,
    `insert into oauth_objects (kind, id_hash, payload, uid_hash, grant_id, expires_at)
     values (:kind, :idHash, :payload, :uidHash, :grantId,
       now() + :lengthSeconds::double precision * interval '1 second')
     on conflict (kind, id_hash) do update set payload = excluded.payload, uid_hash = excluded.uid_hash,
       grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
    {
      kind,
      idHash: oauthIdHash(id),
      payload: JSON.stringify(payload),
      uidHash: uid === undefined ? null : oauthIdHash(uid),
      grantId: grantId ?? null,
      lengthSeconds,
    },
  );
}

interface StoredObject {
  payload: OAuthPayload;
  /** Seconds since the epoch. */
  consumedAt: number | null;
}

const SELECT = `
  select payload, extract(epoch from consumed_at)::double precision as "consumedAt"
  from oauth_objects where kind = :kind and (expires_at is null or expires_at > now())`;

export async function findOAuthObject(
  db: Database,
  kind: string,
  id: string,
): Promise<StoredObject | undefined> {
  const [found] = await rawRows<StoredObject>(db, `${SELECT} and id_hash = :idHash`, {
    kind,
    idHash: oauthIdHash(id),
  });
  return found;
}

export async function findOAuthObjectByUid(
  db: Database,
  kind: string,
  uid: string,
): Promise<StoredObject | undefined> {
  const [found] = await rawRows<StoredObject>(db, `${SELECT} and uid_hash = :uidHash`, {
    kind,
    uidHash: oauthIdHash(uid),
  });
  return found;
}

/**
 * Marks a code or a refresh token as used.
 * @returns false when another request has used it
 */
export async function consumeOAuthObject(db: Database, kind: string, id: string): Promise<boolean> {
  const rows = await rawRows(
    db,
    `update oauth_objects set consumed_at = now()
     where kind = ? and id_hash = ? and consumed_at is null returning kind`,
    [kind, oauthIdHash(id)],
  );
  return rows.length > 0;
}

export async function deleteOAuthObject(db: Database, kind: string, id: string): Promise<void> {
  await db('oauth_objects')
    .where({ kind, idHash: oauthIdHash(id) })
    .delete();
}

/** Ends a grant with its codes and tokens at once, and the connection that uses it. */
export async function deleteGrant(db: Database, grantId: string): Promise<void> {
  await rawRows(
    db,
    `with gone as (delete from connected_clients where grant_id = :grantId)
     delete from oauth_objects where grant_id = :grantId`,
    { grantId },
  );
}

/**
 * Deletes expired objects, connections that have only their grant left after a day, with the grant, and clients that registered
 * more than a day ago and are not connected to any account.
 * @returns how many objects were deleted
 */
export async function pruneOAuthObjects(db: Database, limit: number): Promise<number> {
  const rows = await rawRows(
    db,
    `with idle as (
       delete from connected_clients clients
       where created_at < now() - interval '1 day' and not exists (
         select from oauth_objects tokens
         where tokens.grant_id = clients.grant_id and kind <> 'Grant' and expires_at > now())
       returning grant_id
     )
     delete from oauth_objects using (
       (select kind, id_hash from oauth_objects where expires_at < now() limit :limit)
       union all
       (select kind, id_hash from oauth_objects where grant_id in (select grant_id from idle))
       union all
       (select kind, id_hash from oauth_objects clients
        where kind = 'Client' and created_at < now() - interval '1 day'
          and not exists (select from connected_clients where client_id = clients.payload ->> 'client_id')
        limit :limit)
     ) expired
     where oauth_objects.kind = expired.kind and oauth_objects.id_hash = expired.id_hash
     returning oauth_objects.kind`,
    { limit },
  );
  return rows.length;
}
