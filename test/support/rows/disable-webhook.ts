// Disables a webhook as the product does after failed attempts.
import type { Database } from '../../../db/driver/knex.ts';

export async function disableWebhook(db: Database, id: string, disabledReason: string): Promise<void> {
  await db('webhooks').where({ id }).update({ enabled: false, disabledReason });
}
