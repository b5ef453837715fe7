// API keys: found by their hash, never by anything that could be read back.
import { Model } from 'objection';
import type { Principal, Scope } from '../core/principal.ts';
import type { Database } from './knex.ts';
import { rawRows } from './knex.ts';

export class ApiKeyModel extends Model {
  static override tableName = 'api_keys';
  declare id: string;
  declare accountId: string;
  declare recordId: string | null;
  declare kind: 'account' | 'record';
  declare scope: Scope;
  declare name: string;
  declare hash: Buffer;
  declare prefix: string;
  declare last4: string;
  declare createdAt: Date;
  declare lastUsedAt: Date | null;
  declare expiresAt: Date | null;
  declare revokedAt: Date | null;
}

export type NewApiKey = Pick<
  ApiKeyModel,
  'id' | 'accountId' | 'recordId' | 'kind' | 'scope' | 'name' | 'hash' | 'prefix' | 'last4'
>;

export async function insertApiKey(db: Database, key: NewApiKey): Promise<void> {
  await ApiKeyModel.query(db).insert(key);
}

/**
 * Who a key stands for, if it works at this moment: there is no cache, so a revoked key stops at once.
 * Notes its use, at most once a minute, in the same statement.
 */
export async function findPrincipalByKeyHash(db: Database, hash: Buffer): Promise<Principal | undefined> {
  const [row] = await rawRows<Principal>(
    db,
    `with found as (
       select id, kind, account_id, record_id, scope, last_used_at from api_keys
       where hash = ? and revoked_at is null and (expires_at is null or expires_at > now())
     ), noted as (
       update api_keys set last_used_at = now() from found
       where api_keys.id = found.id
         and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
     )
     select kind, account_id as "accountId", record_id as "recordId", id as "keyId", scope from found`,
    [hash],
  );
  return row;
}

export async function revokeApiKey(db: Database, accountId: string, id: string): Promise<boolean> {
  const count = await ApiKeyModel.query(db)
    .where({ accountId, id })
    .whereNull('revokedAt')
    .patch({ revokedAt: new Date() });
  return count > 0;
}
