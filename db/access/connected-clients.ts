// Clients that people connected to their accounts through OAuth, and the callers behind their access tokens.
import type { Scope } from '../../core/principal.ts';
import { type Caller, highestTierSql, IS_USE_DUE, noteUse } from './callers.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { deleteGrant, oauthIdHash } from './oauth-objects.ts';
import type { PageRequest, SortOrder } from '../page.ts';

/** What tokens may permit over MCP. */
export type ClientScope = Exclude<Scope, 'feed'>;

export interface ConnectedClient {
  id: string;
  accountId: string;
  clientId: string;
  name: string;
  grantId: string;
  scope: ClientScope;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const TABLE = 'connected_clients';

/** Each connection of a client is separate, so that one device can be disconnected while another stays connected. */
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

/** The client that a grant belongs to, locked until the transaction ends. */
export function lockClientOfGrant(trx: Database, grantId: string): Promise<ConnectedClient | undefined> {
  return trx<ConnectedClient>(TABLE).where({ grantId }).forUpdate().first();
}

/** A client of any account, for operators. */
export function findConnectedClient(db: Database, id: string): Promise<ConnectedClient | undefined> {
  return db<ConnectedClient>(TABLE).where({ id }).first();
}

/** Ends a connection and all its tokens at once. @returns undefined when the account has no client with this id */
export async function revokeConnectedClient(
  db: Database,
  accountId: string,
  id: string,
): Promise<ConnectedClient | undefined> {
  const client = await db<ConnectedClient>(TABLE).where({ accountId, id }).first();
  if (client !== undefined) await deleteGrant(db, client.grantId);
  return client;
}

interface TokenRow {
  credentialId: string;
  accountId: string;
  scope: Scope;
  tier: Caller['principal']['tier'];
  isUseDue: boolean;
}

/**
 * Finds whom an access token belongs to now. Nothing is cached, so a revoked client stops working at once.
 * @param audience the resource that the token must have been issued for
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
       ${IS_USE_DUE} as "isUseDue"
     from oauth_objects tokens
     join connected_clients clients on clients.grant_id = tokens.grant_id,
     string_to_array(tokens.payload ->> 'scope', ' ') scopes
     where tokens.kind = 'AccessToken' and tokens.id_hash = :idHash and tokens.expires_at > now()
       and tokens.payload ->> 'aud' = :audience and scopes && '{mcp:read,mcp:download,mcp:write}'`,
    { idHash: oauthIdHash(token), audience },
  );
  if (row === undefined) return undefined;
  const { credentialId, accountId, scope, tier, isUseDue } = row;
  if (isUseDue) await noteUse(db, 'connected_clients', credentialId);
  return { principal: { kind: 'account', accountId, credentialId, scope, tier }, record: null };
}
