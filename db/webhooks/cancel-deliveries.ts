// Ending deliveries that will not be made: their webhook is disabled. They are locked in the order of their ids, as where
// attempts are recorded, so that neither waits for the other.
import { type Database, rawRows } from '../driver/knex.ts';

const cancel = (which: string): string => `
  update deliveries set status = 'cancelled', next_attempt_at = null, finished_at = now()
  where id = any(array(
    select id from deliveries where ${which} and status = 'pending' order by id for no key update))`;

export async function cancelDeliveries(db: Database, ids: readonly string[]): Promise<void> {
  await rawRows(db, cancel('id = any(?::text[])'), [[...ids]]);
}

/** All of a webhook that wait. */
export async function cancelAllDeliveries(db: Database, webhookId: string): Promise<void> {
  await rawRows(db, cancel('webhook_id = ?'), [webhookId]);
}
