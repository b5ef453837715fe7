// API keys: stored as a hash, never as anything that could be read back. db/callers.ts finds who one stands for.
import { Model } from 'objection';
import type { Scope } from '../core/principal.ts';
import type { Database } from './knex.ts';

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

export async function revokeApiKey(db: Database, accountId: string, id: string): Promise<boolean> {
  const count = await ApiKeyModel.query(db)
    .where({ accountId, id })
    .whereNull('revokedAt')
    .patch({ revokedAt: new Date() });
  return count > 0;
}
