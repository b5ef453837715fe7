// API keys. Only their hashes are stored. db/access/callers.ts finds whom a key belongs to.
import { fn, Model } from 'objection';
import { isId } from '../../core/ids.ts';
import type { Scope } from '../../core/principal.ts';
import type { Database, Knex } from '../driver/knex.ts';
import { type PageRequest, pageById, type SortOrder } from '../page.ts';
import { AccountModel } from '../accounts/accounts.ts';
import { lockRecord } from '../records/lock-record.ts';
import { IS_WORKING } from './callers.ts';
import { isLoginRecent, lockLogin } from './login-sessions.ts';

/** The columns that may be shown: all but the hash. */
const PUBLIC_COLUMNS = [
  'id',
  'accountId',
  'recordId',
  'kind',
  'scope',
  'name',
  'prefix',
  'last4',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
  'revokedAt',
] as const;

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

export type NewApiKey = Omit<PublicApiKey, 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'> &
  Pick<ApiKeyModel, 'hash'> &
  Partial<Pick<ApiKeyModel, 'expiresAt'>>;

export type PublicApiKey = Pick<ApiKeyModel, (typeof PUBLIC_COLUMNS)[number]>;

/** Whose keys are meant: those of an account (no record), or those of one of its records. */
export type KeyOwner = Pick<ApiKeyModel, 'accountId' | 'recordId'>;

const publicKeys = (db: Database) => ApiKeyModel.query(db).select(...PUBLIC_COLUMNS);

export async function insertApiKey(db: Database, key: NewApiKey): Promise<PublicApiKey> {
  await ApiKeyModel.query(db).insert(key);
  // `insert` would return the hash.
  return publicKeys(db).findById(key.id).throwIfNotFound();
}

/** Why no key was created. */
export type IssueRefusal =
  | { refused: 'owner gone' }
  | { refused: 'creator gone' }
  /** The creator is a person who signed in too long ago. */
  | { refused: 'login too old' }
  /** The key would live longer than the key that creates it. */
  | { refused: 'outlives creator'; creatorExpiresAt: Date }
  | { refused: 'too many' };

/**
 * Inserts a key, unless its owner already has `atMost` working keys.
 * @param creatorId the credential that creates the key, which must still work and must not expire earlier; null for the
 * operator
 * @param wasRecent whether the sign-in of a creator was found to be recent before
 */
export function issueApiKey(
  db: Database,
  key: NewApiKey,
  { creatorId, atMost, wasRecent = false }: { creatorId: string | null; atMost: number; wasRecent?: boolean },
): Promise<PublicApiKey | IssueRefusal> {
  return db.transaction(async (trx) => {
    if (!(await lockOwner(trx, key))) return { refused: 'owner gone' };
    const refusal = creatorId === null ? undefined : await refusalBy(trx, { creatorId, wasRecent }, key);
    if (refusal !== undefined) return refusal;
    const { accountId, recordId } = key;
    const working = await ApiKeyModel.query(trx)
      .where({ accountId, recordId })
      .whereRaw(IS_WORKING)
      .resultSize();
    if (working >= atMost) return { refused: 'too many' };
    return await insertApiKey(trx, key);
  });
}

/** Locks the owner, so that two parallel requests cannot both create the last key allowed. */
async function lockOwner(trx: Knex.Transaction, { accountId, recordId }: KeyOwner): Promise<boolean> {
  const owner =
    recordId === null
      ? await AccountModel.query(trx).findById(accountId).whereNull('deletedAt').forNoKeyUpdate()
      : await lockRecord(trx, { id: recordId, accountId });
  return owner !== undefined;
}

/** Locks the creator until the new key is committed: a revocation that was answered before prevents the key. */
async function refusalBy(
  trx: Database,
  { creatorId, wasRecent }: { creatorId: string; wasRecent: boolean },
  { expiresAt = null }: Pick<NewApiKey, 'expiresAt'>,
): Promise<IssueRefusal | undefined> {
  // The creator is a person in the dashboard. Their keys outlive their login.
  if (isId('loginSession', creatorId)) {
    if (!(await lockLogin(trx, creatorId))) return { refused: 'creator gone' };
    const isRecent = wasRecent || (await isLoginRecent(trx, creatorId));
    return isRecent ? undefined : { refused: 'login too old' };
  }
  const creator = await lockedKey(trx, creatorId);
  if (creator === undefined) return { refused: 'creator gone' };
  const { expiresAt: creatorExpiresAt } = creator;
  if (creatorExpiresAt === null || (expiresAt !== null && expiresAt <= creatorExpiresAt)) return undefined;
  return { refused: 'outlives creator', creatorExpiresAt };
}

/** Locks a key until the transaction ends. @returns false when it no longer works */
export const lockWorkingKey = async (trx: Database, id: string): Promise<boolean> =>
  (await lockedKey(trx, id)) !== undefined;

const lockedKey = (trx: Database, id: string): Promise<ApiKeyModel | undefined> =>
  ApiKeyModel.query(trx).findById(id).whereRaw(IS_WORKING).forShare().execute();

/** Includes keys that were revoked or have expired. */
export async function listApiKeys(
  db: Database,
  { accountId, recordId }: KeyOwner,
  order: SortOrder,
  page: PageRequest<string>,
): Promise<PublicApiKey[]> {
  return pageById(publicKeys(db).where({ accountId, recordId }), order, page);
}

export async function findApiKey(db: Database, id: string): Promise<PublicApiKey | undefined> {
  return publicKeys(db).findById(id);
}

export interface RevokedKey {
  name: string;
  /** False for a key that was revoked before, which keeps its time. */
  isRevokedNow: boolean;
}

/**
 * Revokes a key: no statement that begins after this call finds it.
 * @returns undefined when the owner has no key with this id
 */
export async function revokeApiKey(
  db: Database,
  { accountId, recordId }: KeyOwner,
  id: string,
): Promise<RevokedKey | undefined> {
  const its = () => ApiKeyModel.query(db).where({ accountId, recordId, id });
  const count = await its().whereNull('revokedAt').patch({ revokedAt: fn.now() });
  const key = await its().select('name').first();
  return key && { name: key.name, isRevokedNow: count > 0 };
}
