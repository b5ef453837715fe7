// Clients that people connected to their account through OAuth, and who calls with an access token of one.
import type { Scope } from '../../core/principal.ts';
import { type Caller, highestTierSql } from './callers.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { deleteGrant, oauthIdHash } from './oauth-objects.ts';
import type { PageRequest, SortOrder } from '../page.ts';

export interface ConnectedClient {
  id: string;
  accountId: string;
  clientId: string;
  name: string;
  grantId: string;
  scope: Scope;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const TABLE = 'connected_clients';

/** Each time that a client is connected counts on its own: one device can be let go and the other stay. */
export async function insertConnectedClient(
  db: Database,
  client: Omit<ConnectedClient, 'createdAt' | 'lastUsedAt'>,
): Promise<void> {
  await db<ConnectedClient>(TABLE).insert(client);
}

export async function listConnectedClients(
  db: Database,
  accountId: string,
  order: SortOrder,
  page: PageRequest<string>,
): Promise<ConnectedClient[]> {
  const query = db<ConnectedClient>(TABLE).where({ accountId }).select('*');
  if (page.after !== null) void query.where('id', order === 'desc' ? '<' : '>', page.after);
  return query.orderBy('id', order).limit(page.limit + 1);
}

/** Whoever's it is: for operators. */
export function findConnectedClient(db: Database, id: string): Promise<ConnectedClient | undefined> {
  return db<ConnectedClient>(TABLE).where({ id }).first();
}

/** Ends a connection with all its tokens, at once. @returns false when the account has none of that id */
export async function revokeConnectedClient(db: Database, accountId: string, id: string): Promise<boolean> {
  const client = await db<ConnectedClient>(TABLE).where({ accountId, id }).first('grantId');
  if (client === undefined) return false;
  await deleteGrant(db, client.grantId);
  return true;
}

interface TokenRow {
  credentialId: string;
  accountId: string;
  scope: Scope;
  tier: Caller['principal']['tier'];
  isUseDue: boolean;
}

/**
 * Who an access token stands for at this moment; there is no cache, so a revoked client stops at once.
 * @param audience the resource that it must have been issued for
 */
export async function findConnectedCaller(
  db: Database,
  token: string,
  audience: string,
): Promise<Caller | undefined> {
  const [row] = await rawRows<TokenRow>(
    db,
    `select clients.id as "credentialId", clients.account_id as "accountId",
       case when 'mcp:write' = any(scopes) then 'full' when 'mcp:read' = any(scopes) then 'read' else 'download' end as scope,
       ${highestTierSql('clients.account_id')} as tier,
       (last_used_at is null or last_used_at < now() - interval '1 minute') as "isUseDue"
     from oauth_objects tokens
     join connected_clients clients on clients.grant_id = tokens.grant_id,
     string_to_array(tokens.payload ->> 'scope', ' ') scopes
     where tokens.kind = 'AccessToken' and tokens.id_hash = :idHash and tokens.expires_at > now()
       and tokens.payload ->> 'aud' = :audience and scopes && '{mcp:read,mcp:download,mcp:write}'`,
    { idHash: oauthIdHash(token), audience },
  );
  if (row === undefined) return undefined;
  const { credentialId, accountId, scope, tier, isUseDue } = row;
  if (isUseDue) await noteUse(db, credentialId);
  return { principal: { kind: 'account', accountId, credentialId, scope, tier }, record: null };
}

async function noteUse(db: Database, id: string): Promise<void> {
  await rawRows(
    db,
    `update connected_clients set last_used_at = now()
     where id = ? and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [id],
  );
}
