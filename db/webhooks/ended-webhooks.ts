// The webhooks of a record that were disabled because they do not work.
import type { Database } from '../driver/knex.ts';
import { WebhookModel } from './webhooks.ts';

/** A webhook that was not disabled by its owner. */
export interface EndedWebhook {
  id: string;
  disabledReason: string;
  disabledAt: Date | null;
}

/** Latest first. */
export async function listEndedWebhooks(db: Database, recordId: string): Promise<EndedWebhook[]> {
  return WebhookModel.query(db)
    .where({ recordId, enabled: false })
    .whereNotNull('disabledReason')
    .orderBy([
      { column: 'disabledAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select('id', 'disabledReason', 'disabledAt')
    .castTo<EndedWebhook[]>();
}
