// Webhooks: where an account wants a record's events pushed.
import { Model } from 'objection';
import type { Database } from './knex.ts';
import type { PageRequest, SortOrder } from './snapshots.ts';

export class WebhookModel extends Model {
  static override tableName = 'webhooks';
  declare id: string;
  declare recordId: string;
  declare url: string;
  declare sealedSecret: Buffer;
  declare enabled: boolean;
  declare disabledReason: string | null;
  declare eventTypes: string[];
  declare createdAt: Date;
}

/** What may be shown of a webhook: all but its secret. */
export type PublicWebhook = Omit<WebhookModel, 'sealedSecret' | keyof Model>;
const PUBLIC_COLUMNS = [
  'id',
  'recordId',
  'url',
  'enabled',
  'disabledReason',
  'eventTypes',
  'createdAt',
] as const;

/**
 * Inserts a webhook unless the record has `atMost` already; then undefined. The record's row is locked
 * meanwhile, so that two at once cannot both be the last one allowed.
 */
export function insertWebhook(
  db: Database,
  webhook: Pick<WebhookModel, 'id' | 'recordId' | 'url' | 'sealedSecret'>,
  atMost: number,
): Promise<PublicWebhook | undefined> {
  return db.transaction(async (trx) => {
    await trx('records').where({ id: webhook.recordId }).forNoKeyUpdate().select('id');
    const count = await WebhookModel.query(trx).where({ recordId: webhook.recordId }).resultSize();
    if (count >= atMost) return undefined;
    const [row] = await trx<WebhookModel>('webhooks')
      .insert(webhook)
      .returning([...PUBLIC_COLUMNS]);
    return row;
  });
}

export async function listWebhooks(
  db: Database,
  recordId: string,
  order: SortOrder,
  page: PageRequest<string>,
): Promise<PublicWebhook[]> {
  const query = db<WebhookModel>('webhooks')
    .where({ recordId })
    .select([...PUBLIC_COLUMNS]);
  if (page.after !== null) void query.where('id', order === 'desc' ? '<' : '>', page.after);
  return query.orderBy('id', order).limit(page.limit + 1);
}

/** Enables (forgetting why it was disabled) or disables a webhook; undefined when the record has none of that id. */
export async function setWebhookEnabled(
  db: Database,
  recordId: string,
  id: string,
  enabled: boolean,
): Promise<PublicWebhook | undefined> {
  const [row] = await db<WebhookModel>('webhooks')
    .where({ recordId, id })
    .update({ enabled, disabledReason: null })
    .returning([...PUBLIC_COLUMNS]);
  return row;
}

/** Disables a webhook on the receiver's own word or for its failures, and says why. */
export async function disableWebhook(db: Database, id: string, reason: string): Promise<void> {
  await WebhookModel.query(db).findById(id).patch({ enabled: false, disabledReason: reason });
}

/** Deletes a webhook with its deliveries and attempts. */
export async function deleteWebhook(db: Database, recordId: string, id: string): Promise<boolean> {
  return (await WebhookModel.query(db).where({ recordId, id }).delete()) > 0;
}
