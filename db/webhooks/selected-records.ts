// Which webhooks get the events of a record: its own, and those of its account that select it.
import { type Database, rawRows } from '../driver/knex.ts';

/** Which records a webhook of an account selects. */
export type RecordSelection = 'all' | 'labels' | 'list';

/** Whether a webhook of an account selects one of the account's records. Refers to `webhooks` and `records`. */
const SELECTS = `case webhooks.selects when 'all' then true when 'labels' then records.labels @> webhooks.labels
  else exists (
    select from webhook_records where webhook_id = webhooks.id and webhook_records.record_id = records.id) end`;

/**
 * SQL of the webhooks that get a record's events, enabled or not, as a table with the columns of `webhooks`. The account is
 * looked up first: joined to it, webhooks may be read whole.
 * @param recordId SQL of the record's id
 */
export const webhooksOf = (recordId: string): string => `(
  select webhooks.* from webhooks where webhooks.record_id = ${recordId}
  union all
  select webhooks.* from webhooks
  where webhooks.account_id = (select account_id from records where records.id = ${recordId})
    and (webhooks.selects = 'all' or exists (select from records where records.id = ${recordId} and ${SELECTS})))`;

/** SQL of the records whose events a webhook of an account gets. Refers to `webhooks`. */
export const RECORDS_OF_WEBHOOK = `(
  select records.* from records
  where records.account_id = webhooks.account_id and records.deleted_at is null and ${SELECTS})`;

/** The newest record whose events a webhook of an account gets. */
export async function findNewestSelected(db: Database, webhookId: string): Promise<string | undefined> {
  const [record] = await rawRows<{ id: string }>(
    db,
    `select records.id from webhooks cross join lateral ${RECORDS_OF_WEBHOOK} records
     where webhooks.id = ? order by records.id desc limit 1`,
    [webhookId],
  );
  return record?.id;
}
