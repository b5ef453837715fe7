// The usage of an account beside the limits of its tier, and the queries of operators' commands, which no caller may run.
import { fn } from 'objection';
import type { RecordStatus } from '../../core/checks.ts';
import type { Tier } from '../../core/tiers.ts';
import { IS_WORKING } from './callers.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { RecordModel, scopeSql } from '../records/records.ts';
import { accountCallsSubject, BEGIN, END } from '../usage/usage-counters.ts';

export interface AccountUsage {
  records: number;
  failingRecords: number;
  /** Working keys of the account and of its records. */
  apiKeys: number;
  webhooks: number;
  connectedClients: number;
  mcpCallsToday: number;
  /** When the count starts again at zero. */
  mcpCallsResetAt: Date;
}

export async function readAccountUsage(db: Database, accountId: string): Promise<AccountUsage> {
  const [usage] = await rawRows<AccountUsage>(db, USAGE, {
    accountId,
    calls: accountCallsSubject(accountId),
  });
  if (usage === undefined) throw new Error('A statement that always has a row had none');
  return usage;
}

const USAGE = `
  with mine as (select id from records where ${scopeSql(':accountId', 'null')})
  select
    (select count(*) from mine) as records,
    (select count(*) from mine join record_heads on record_id = mine.id where consecutive_failures > 0)
      as "failingRecords",
    (select count(*) from api_keys where account_id = :accountId and ${IS_WORKING}
      and (record_id is null or record_id in (select id from mine)))
      as "apiKeys",
    (select count(*) from webhooks where record_id in (select id from mine))
      + (select count(*) from webhooks where account_id = :accountId) as webhooks,
    (select count(*) from connected_clients where account_id = :accountId) as "connectedClients",
    coalesce((select used from usage_counters where subject = :calls and period = ${BEGIN.day}), 0)
      as "mcpCallsToday",
    ${END.day} as "mcpCallsResetAt"`;

export interface AccountOverview {
  id: string;
  name: string;
  createdAt: Date;
  /** The highest tier among its records; `free` without records. */
  tier: Tier;
  recordCount: number;
  /** Working keys of the account and of its records. */
  keyCount: number;
}

const OVERVIEW = `
  select accounts.id, accounts.name, accounts.created_at as "createdAt",
    case when 'max' = any(tiers) then 'max' when 'watch' = any(tiers) then 'watch' else 'free' end as tier,
    "recordCount", "keyCount"
  from accounts
  cross join lateral (
    select array_agg(distinct tier) as tiers, count(*) as "recordCount"
    from records where ${scopeSql('accounts.id', 'null')}
  ) its_records
  cross join lateral (
    select count(*) as "keyCount" from api_keys
    where account_id = accounts.id and ${IS_WORKING}
  ) its_keys`;

/** Newest first, without the temporary accounts of anonymous sessions: one more than the limit. */
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
export async function listRecordLines(db: Database, accountId: string, limit: number): Promise<RecordLine[]> {
  return RecordModel.query(db)
    .select('id', 'slug', 'name', 'tier', 'status')
    .whereRaw(scopeSql(':accountId', 'null'), { accountId })
    .orderBy('id', 'desc')
    .limit(limit);
}

/** The id of a record by its slug, which is unique within its account. */
export async function findIdBySlug(
  db: Database,
  accountId: string,
  slug: string,
): Promise<string | undefined> {
  const record = await RecordModel.query(db)
    .select('id')
    .whereRaw(scopeSql(':accountId', 'null'), { accountId })
    .findOne({ slug });
  return record?.id;
}

/** @returns false for a record of an anonymous session, which gets a tier when it is kept */
export async function setTier(db: Database, id: string, tier: Exclude<Tier, 'anonymous'>): Promise<boolean> {
  const count = await RecordModel.query(db)
    .findById(id)
    .whereNull('deletedAt')
    .whereNot({ tier: 'anonymous' })
    .patch({ tier, updatedAt: fn.now() });
  return count > 0;
}
