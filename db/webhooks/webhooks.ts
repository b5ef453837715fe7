// Webhooks: where an account wants a record's events pushed, and which of them.
import { Model } from 'objection';
import type { WebhookEventType } from '../../core/deliveries.ts';
import type { ChangeType } from '../rows/delta-rows.ts';
import { cancelAllDeliveries } from './cancel-deliveries.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import type { PageRequest, SortOrder } from '../page.ts';

/** What its owner decides. */
export interface WebhookSettings {
  url: string;
  enabled: boolean;
  description: string | null;
  eventTypes: WebhookEventType[];
  /** Filters of delta events; null asks for all. */
  changeTypes: ChangeType[] | null;
  columns: string[] | null;
  minChanges: number | null;
}

export class WebhookModel extends Model implements WebhookSettings {
  static override tableName = 'webhooks';
  declare id: string;
  declare recordId: string;
  declare url: string;
  declare sealedSecret: Buffer;
  declare enabled: boolean;
  /** Why it was not its owner who disabled it. */
  declare disabledReason: string | null;
  declare disabledAt: Date | null;
  declare description: string | null;
  declare eventTypes: WebhookEventType[];
  declare changeTypes: ChangeType[] | null;
  declare columns: string[] | null;
  declare minChanges: number | null;
  /** Signs beside the present secret until `previousSecretUntil`; null before the first rotation. */
  declare previousSealedSecret: Buffer | null;
  declare previousSecretUntil: Date | null;
  declare failingSince: Date | null;
  declare createdAt: Date;
}

/** What may be shown of a webhook: all but its secrets. */
export type PublicWebhook = Omit<WebhookModel, 'sealedSecret' | 'previousSealedSecret' | keyof Model>;
const PUBLIC_COLUMNS = [
  'id',
  'recordId',
  'url',
  'enabled',
  'disabledReason',
  'disabledAt',
  'description',
  'eventTypes',
  'changeTypes',
  'columns',
  'minChanges',
  'previousSecretUntil',
  'failingSince',
  'createdAt',
] as const;

export type NewWebhook = Pick<WebhookModel, 'id' | 'recordId' | 'url' | 'sealedSecret'> &
  Partial<WebhookSettings>;

/**
 * Inserts a webhook unless the record has `atMost` already; then undefined. The record's row is locked
 * meanwhile, so that two at once cannot both be the last one allowed.
 */
export function insertWebhook(
  db: Database,
  webhook: NewWebhook,
  atMost: number,
): Promise<PublicWebhook | undefined> {
  return db.transaction(async (trx) => {
    await trx('records').where({ id: webhook.recordId }).forNoKeyUpdate().select('id');
    const count = await WebhookModel.query(trx).where({ recordId: webhook.recordId }).resultSize();
    if (count >= atMost) return undefined;
    const disabledAt = webhook.enabled === false ? trx.fn.now() : null;
    const [row] = await trx('webhooks')
      .insert({ ...webhook, disabledAt })
      .returning<PublicWebhook[]>([...PUBLIC_COLUMNS]);
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

export function findWebhook(db: Database, recordId: string, id: string): Promise<PublicWebhook | undefined> {
  return db<WebhookModel>('webhooks')
    .where({ recordId, id })
    .first([...PUBLIC_COLUMNS]);
}

/**
 * Changes a webhook; undefined when the record has none of that id. Disabling ends its pending deliveries in the same
 * transaction. Enabling, or another URL, forgets what the endpoint did before.
 */
export function updateWebhook(
  db: Database,
  recordId: string,
  id: string,
  changes: Partial<WebhookSettings>,
): Promise<PublicWebhook | undefined> {
  return db.transaction(async (trx) => {
    const [row] = await trx('webhooks')
      .where({ recordId, id })
      .update({ ...changes, ...consequencesOf(trx, changes) })
      .returning<PublicWebhook[]>([...PUBLIC_COLUMNS]);
    if (row !== undefined && changes.enabled === false) await cancelAllDeliveries(trx, id);
    return row;
  });
}

function consequencesOf(trx: Knex.Transaction, { url, enabled }: Partial<WebhookSettings>) {
  return {
    // The right side of an assignment is what was there before: the same URL is the same endpoint.
    ...(url === undefined
      ? {}
      : {
          disabledReason: trx.raw('case when url = ? then disabled_reason end', [url]),
          failingSince: trx.raw('case when url = ? then failing_since end', [url]),
        }),
    ...(enabled === true ? { disabledReason: null, failingSince: null, disabledAt: null } : {}),
    // Since when, if it was disabled already.
    ...(enabled === false ? { disabledAt: trx.raw('coalesce(disabled_at, now())') } : {}),
  };
}

/**
 * Gives a webhook another secret; the one before signs beside it for some hours. One that did so already is forgotten.
 * Undefined when the record has none of that id.
 */
export async function rotateSecret(
  db: Database,
  recordId: string,
  id: string,
  { sealedSecret, overlapHours }: { sealedSecret: Buffer; overlapHours: number },
): Promise<PublicWebhook | undefined> {
  const [row] = await db('webhooks')
    .where({ recordId, id })
    .update({
      sealedSecret,
      // The right side of an assignment is what was there before.
      previousSealedSecret: db.ref('sealed_secret'),
      previousSecretUntil: db.raw(`now() + ? * interval '1 hour'`, [overlapHours]),
    })
    .returning<PublicWebhook[]>([...PUBLIC_COLUMNS]);
  return row;
}

/** One that was disabled, and not by its owner. */
export interface EndedWebhook {
  id: string;
  disabledReason: string;
  disabledAt: Date | null;
}

/** The last one first. */
export function listEndedWebhooks(db: Database, recordId: string): Promise<EndedWebhook[]> {
  return rawRows(
    db,
    `select id, disabled_reason as "disabledReason", disabled_at as "disabledAt" from webhooks
     where record_id = ? and not enabled and disabled_reason is not null order by disabled_at desc, id desc`,
    [recordId],
  );
}
