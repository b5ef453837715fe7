// What an account has and has used, beside what its tier allows.
import { IS_WORKING } from './api-keys.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { accountCallsSubject, BEGIN, END } from '../usage/usage-counters.ts';

export interface AccountUsage {
  records: number;
  failingRecords: number;
  /** Keys that work, of the account and of its records. */
  apiKeys: number;
  webhooks: number;
  connectedClients: number;
  mcpCallsToday: number;
  /** When their count begins anew. */
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
  with mine as (select id from records where account_id = :accountId and deleted_at is null)
  select
    (select count(*) from mine) as records,
    (select count(*) from mine join record_heads on record_id = mine.id where consecutive_failures > 0)
      as "failingRecords",
    (select count(*) from api_keys where account_id = :accountId and ${IS_WORKING}
      and (record_id is null or record_id in (select id from mine)))
      as "apiKeys",
    (select count(*) from webhooks where record_id in (select id from mine)) as webhooks,
    (select count(*) from connected_clients where account_id = :accountId) as "connectedClients",
    coalesce((select used from usage_counters where subject = :calls and period = ${BEGIN.day}), 0)
      as "mcpCallsToday",
    ${END.day} as "mcpCallsResetAt"`;
