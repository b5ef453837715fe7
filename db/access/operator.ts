// What the operator asks and no caller may: across accounts, and tiers.
import type { RecordStatus } from '../../core/checks.ts';
import type { Tier } from '../../core/tiers.ts';
import { IS_WORKING } from './api-keys.ts';
import { type Database, rawRows } from '../driver/knex.ts';

export interface AccountOverview {
  id: string;
  name: string;
  createdAt: Date;
  /** The highest among its records; `free` without any. */
  tier: Tier;
  recordCount: number;
  /** Keys that work, of the account and of its records. */
  keyCount: number;
}

const OVERVIEW = `
  select accounts.id, accounts.name, accounts.created_at as "createdAt",
    case when 'max' = any(tiers) then 'max' when 'watch' = any(tiers) then 'watch' else 'free' end as tier,
    "recordCount", "keyCount"
  from accounts
  cross join lateral (
    select array_agg(distinct tier) as tiers, count(*) as "recordCount"
    from records where account_id = accounts.id and deleted_at is null
  ) its_records
  cross join lateral (
    select count(*) as "keyCount" from api_keys
    where account_id = accounts.id and ${IS_WORKING}
  ) its_keys`;

/** Newest first, without the throwaway accounts of anonymous sessions; one more than the limit. */
export function listAccounts(db: Database, after: string | null, limit: number): Promise<AccountOverview[]> {
  return rawRows(
    db,
    `${OVERVIEW}
     where deleted_at is null and not exists (select from ephemeral_sessions where account_id = accounts.id)
       and (:after::text is null or accounts.id < :after)
     order by accounts.id desc limit :limit`,
    { after, limit: limit + 1 },
  );
}

export async function findAccountOverview(db: Database, id: string): Promise<AccountOverview | undefined> {
  const [account] = await rawRows<AccountOverview>(
    db,
    `${OVERVIEW} where accounts.id = ? and deleted_at is null`,
    [id],
  );
  return account;
}

export interface RecordLine {
  id: string;
  slug: string;
  name: string;
  tier: Tier;
  status: RecordStatus;
}

/** The account's records, newest first. */
export function listRecordLines(db: Database, accountId: string, limit: number): Promise<RecordLine[]> {
  return rawRows(
    db,
    `select id, slug, name, tier, status from records
     where account_id = ? and deleted_at is null order by id desc limit ?`,
    [accountId, limit],
  );
}

/** The id of a record by its slug, which is unique within its account. */
export async function findIdBySlug(
  db: Database,
  accountId: string,
  slug: string,
): Promise<string | undefined> {
  const [row] = await rawRows<{ id: string }>(
    db,
    'select id from records where account_id = ? and slug = ? and deleted_at is null',
    [accountId, slug],
  );
  return row?.id;
}

/** Not for a record of an anonymous session: it gets a tier when it is kept. */
export async function setTier(db: Database, id: string, tier: Exclude<Tier, 'anonymous'>): Promise<boolean> {
  const rows = await rawRows(
    db,
    `update records set tier = ?, updated_at = now()
     where id = ? and deleted_at is null and tier <> 'anonymous' returning id`,
    [tier, id],
  );
  return rows.length > 0;
}

/** The newest account's wrapped data key: whoever makes another account must be able to open this one. */
export async function findNewestDataKey(
  db: Database,
): Promise<{ accountId: string; wrapped: Buffer } | undefined> {
  const [row] = await rawRows<{ accountId: string; wrapped: Buffer }>(
    db,
    `select id as "accountId", wrapped_data_key as wrapped from accounts
     where deleted_at is null order by id desc limit 1`,
  );
  return row;
}
