// Deleting a webhook with all that was ever owed to it, which may be more than one statement can delete in its time.
import { type Database, rawRows } from '../driver/knex.ts';

const LARGEST_STEP = 2_000;

/**
 * Deletes a webhook with its deliveries and their attempts, in steps. Disabled first, so that nothing joins them and
 * nothing more is sent; one that is interrupted stays so, and can be repeated.
 * @returns false when there is none
 */
export async function deleteWebhook(
  db: Database,
  recordId: string,
  id: string,
  step = LARGEST_STEP,
): Promise<boolean> {
  const found = await db('webhooks')
    .where({ recordId, id })
    .update({ enabled: false, disabledAt: db.raw('coalesce(disabled_at, now())') });
  if (found === 0) return false;
  for (let deleted = step; deleted === step;) deleted = await deleteOldest(db, id, step);
  return (await db('webhooks').where({ recordId, id }).delete()) > 0;
}

/** With the webhook locked, so that attempts which end meanwhile are not recorded, and wait for nothing. */
async function deleteOldest(db: Database, webhookId: string, step: number): Promise<number> {
  const rows = await rawRows(
    db,
    `delete from deliveries where id = any(array(
       select id from deliveries where webhook_id = (select id from webhooks where id = ? for update)
       order by id limit ? for update))
     returning true`,
    [webhookId, step],
  );
  return rows.length;
}
