// Makes a webhook that was disabled because of its endpoint, as recording attempts leaves it.
import type { Database } from '../../db/driver/knex.ts';

export async function disableWebhook(db: Database, id: string, disabledReason: string): Promise<void> {
  await db('webhooks').where({ id }).update({ enabled: false, disabledReason });
}
