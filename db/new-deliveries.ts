// What a committed check owes to the record's webhooks, written in the check's own transaction.
import { type Knex, rawRows } from './knex.ts';

/** One pending delivery for each webhook that is enabled at this moment. */
export async function insertDeliveries(
  trx: Knex.Transaction,
  recordId: string,
  deltaEventId: string,
): Promise<number> {
  const rows = await rawRows(
    trx,
    `insert into deliveries (id, webhook_id, record_id, delta_event_id, next_attempt_at)
     select 'dlv_' || replace(uuidv7()::text, '-', ''), id, record_id, ?, now()
     from webhooks where record_id = ? and enabled and 'delta' = any(event_types)
     returning id`,
    [deltaEventId, recordId],
  );
  return rows.length;
}
