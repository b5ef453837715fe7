// API keys: stored as a hash, never as anything that could be read back. db/access/callers.ts finds who one stands for.
import { Model } from 'objection';
import { isId } from '../../core/ids.ts';
import type { Scope } from '../../core/principal.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { holdLogin, isLoginRecent } from './login-sessions.ts';
import type { PageRequest, SortOrder } from '../page.ts';

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
> &
  Partial<Pick<ApiKeyModel, 'expiresAt'>>;

/** What may be shown of a key: all but its hash. */
export type PublicApiKey = Omit<ApiKeyModel, 'hash' | keyof Model>;
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

/** What db/access/callers.ts asks of a key as well. */
export const IS_WORKING = 'revoked_at is null and (expires_at is null or expires_at > now())';

/** Whose keys are meant: those of a whole account (no record), or those of one of its records. */
export type KeyOwner = Pick<ApiKeyModel, 'accountId' | 'recordId'>;

export async function insertApiKey(db: Database, key: NewApiKey): Promise<PublicApiKey> {
  const [row] = await db<ApiKeyModel>('api_keys')
    .insert(key)
    .returning([...PUBLIC_COLUMNS]);
  if (row === undefined) throw new Error('An inserted key was not returned');
  return row;
}

/** Why a key was not made. */
export type IssueRefusal =
  | { refused: 'owner gone' }
  | { refused: 'creator gone' }
  /** A person asks for it, who signed in too long ago. */
  | { refused: 'login too old' }
  /** It would live longer than the key that asks for it. */
  | { refused: 'outlives creator'; creatorExpiresAt: Date }
  | { refused: 'too many' };

/**
 * Inserts a key, unless its owner has `atMost` already that work.
 * @param creatorId the key that asks for it: neither revoked meanwhile nor outlived; null for the operator
 */
export function issueApiKey(
  db: Database,
  key: NewApiKey,
  { creatorId, atMost }: { creatorId: string | null; atMost: number },
): Promise<PublicApiKey | IssueRefusal> {
  return db.transaction(async (trx) => {
    if (!(await lockOwner(trx, key))) return { refused: 'owner gone' };
    const refusal = creatorId === null ? undefined : await refusalBy(trx, creatorId, key);
    if (refusal !== undefined) return refusal;
    if ((await countWorking(trx, key)) >= atMost) return { refused: 'too many' };
    return await insertApiKey(trx, key);
  });
}

/** Two at once cannot both be the last one allowed. */
async function lockOwner(trx: Database, { accountId, recordId }: KeyOwner): Promise<boolean> {
  const owners =
    recordId === null
      ? await rawRows(trx, 'select id from accounts where id = ? and deleted_at is null for no key update', [
          accountId,
        ])
      : await rawRows(
          trx,
          'select id from records where id = ? and account_id = ? and deleted_at is null for no key update',
          [recordId, accountId],
        );
  return owners.length > 0;
}

/** The creator is held until the new key stands: a revocation that is answered before has prevented it. */
async function refusalBy(
  trx: Database,
  creatorId: string,
  { expiresAt = null }: Pick<NewApiKey, 'expiresAt'>,
): Promise<IssueRefusal | undefined> {
  // A person in the dashboard: what they make outlasts their login.
  if (isId('loginSession', creatorId)) {
    if (!(await holdLogin(trx, creatorId))) return { refused: 'creator gone' };
    return (await isLoginRecent(trx, creatorId)) ? undefined : { refused: 'login too old' };
  }
  const creator = await trx<ApiKeyModel>('api_keys')
    .where({ id: creatorId })
    .whereRaw(IS_WORKING)
    .forShare()
    .first('expiresAt');
  if (creator === undefined) return { refused: 'creator gone' };
  const { expiresAt: creatorExpiresAt } = creator;
  if (creatorExpiresAt === null || (expiresAt !== null && expiresAt <= creatorExpiresAt)) return undefined;
  return { refused: 'outlives creator', creatorExpiresAt };
}

async function countWorking(trx: Database, { accountId, recordId }: KeyOwner): Promise<number> {
  const keys = await trx<ApiKeyModel>('api_keys')
    .where({ accountId, recordId })
    .whereRaw(IS_WORKING)
    .select('id');
  return keys.length;
}

/** Also those that were revoked or have expired. */
export async function listApiKeys(
  db: Database,
  { accountId, recordId }: KeyOwner,
  order: SortOrder,
  page: PageRequest<string>,
): Promise<PublicApiKey[]> {
  const query = db<ApiKeyModel>('api_keys')
    .where({ accountId, recordId })
    .select([...PUBLIC_COLUMNS]);
  if (page.after !== null) void query.where('id', order === 'desc' ? '<' : '>', page.after);
  return query.orderBy('id', order).limit(page.limit + 1);
}

export function findApiKey(db: Database, id: string): Promise<PublicApiKey | undefined> {
  return db<ApiKeyModel>('api_keys')
    .where({ id })
    .first([...PUBLIC_COLUMNS]);
}

/**
 * Once this comes back, no statement that begins later finds the key. One that is revoked already keeps its time.
 * @returns false when the owner has no key of that id
 */
export async function revokeApiKey(
  db: Database,
  { accountId, recordId }: KeyOwner,
  id: string,
): Promise<boolean> {
  const count = await db<ApiKeyModel>('api_keys')
    .where({ accountId, recordId, id })
    .update({ revokedAt: db.raw('coalesce(revoked_at, now())') });
  return count > 0;
}
