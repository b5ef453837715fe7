// Webhooks: the endpoints that receive a record's events, and which events each receives.
import { fn, Model, type PartialModelObject, raw, ref } from 'objection';
import type { WebhookEventType } from '../../core/deliveries.ts';
import type { ChangeType } from '../rows/delta-rows.ts';
import { cancelAllDeliveries } from './deliveries.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { type PageRequest, pageById, type SortOrder } from '../page.ts';
import { RecordModel } from '../records/records.ts';

/** The settings that the owner chooses. */
export interface WebhookSettings {
  url: string;
  enabled: boolean;
  description: string | null;
  eventTypes: WebhookEventType[];
  /** Filters of delta events. Null means all. */
  changeTypes: ChangeType[] | null;
  columns: string[] | null;
  minChanges: number | null;
}

/** The columns that may be shown: all but the secrets. */
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

export class WebhookModel extends Model implements WebhookSettings {
  static override tableName = 'webhooks';
  declare id: string;
  declare recordId: string;
  declare url: string;
  declare sealedSecret: Buffer;
  declare enabled: boolean;
  /** Why the service disabled it; null when it did not. */
  declare disabledReason: string | null;
  declare disabledAt: Date | null;
  declare description: string | null;
  declare eventTypes: WebhookEventType[];
  declare changeTypes: ChangeType[] | null;
  declare columns: string[] | null;
  declare minChanges: number | null;
  /** Also signs until `previousSecretUntil`; null before the first rotation. */
  declare previousSealedSecret: Buffer | null;
  declare previousSecretUntil: Date | null;
  declare failingSince: Date | null;
  declare createdAt: Date;
}

export type PublicWebhook = Pick<WebhookModel, (typeof PUBLIC_COLUMNS)[number]>;

export type NewWebhook = Pick<WebhookModel, 'id' | 'recordId' | 'url' | 'sealedSecret'> &
  Partial<WebhookSettings>;

/** The webhooks of a record, or one of them. */
const publicWebhooks = (db: Database, of: { recordId: string; id?: string }) =>
  WebhookModel.query(db)
    .where(of)
    .select(...PUBLIC_COLUMNS);

/** Changes a webhook. @returns undefined when the record has none with this id */
async function patchWebhook(
  db: Database,
  of: { recordId: string; id: string },
  changes: PartialModelObject<WebhookModel>,
): Promise<PublicWebhook | undefined> {
  const [webhook] = await WebhookModel.query(db)
    .where(of)
    .patch(changes)
    .returning([...PUBLIC_COLUMNS]);
  return webhook;
}

/**
 * Inserts a webhook. The record's row is locked meanwhile, so that two parallel requests cannot both insert the last
 * webhook allowed.
 * @returns undefined when the record has `atMost` webhooks already
 */
export function insertWebhook(
  db: Database,
  webhook: NewWebhook,
  atMost: number,
): Promise<PublicWebhook | undefined> {
  return db.transaction(async (trx) => {
    const { id, recordId, enabled = true } = webhook;
    await RecordModel.query(trx).findById(recordId).select('id').forNoKeyUpdate();
    if ((await publicWebhooks(trx, { recordId }).resultSize()) >= atMost) return undefined;
    await WebhookModel.query(trx).insert({ ...webhook, ...(enabled ? {} : { disabledAt: fn.now() }) });
    // What insert returns would hold the secret.
    return publicWebhooks(trx, { recordId, id }).first();
  });
}

export async function listWebhooks(
  db: Database,
  recordId: string,
  order: SortOrder,
  page: PageRequest<string>,
): Promise<PublicWebhook[]> {
  return pageById(publicWebhooks(db, { recordId }), order, page);
}

export async function findWebhook(
  db: Database,
  recordId: string,
  id: string,
): Promise<PublicWebhook | undefined> {
  return publicWebhooks(db, { recordId, id }).first();
}

/**
 * Changes a webhook. Disabling it cancels its pending deliveries in the same transaction. Enabling it, or giving it
 * another URL, resets its history of failures.
 * @returns undefined when the record has none with this id
 */
export function updateWebhook(
  db: Database,
  recordId: string,
  id: string,
  changes: Partial<WebhookSettings>,
): Promise<PublicWebhook | undefined> {
  return db.transaction(async (trx) => {
    const webhook = await patchWebhook(trx, { recordId, id }, { ...changes, ...consequencesOf(changes) });
    if (webhook !== undefined && changes.enabled === false) await cancelAllDeliveries(trx, id);
    return webhook;
  });
}

function consequencesOf({ url, enabled }: Partial<WebhookSettings>): PartialModelObject<WebhookModel> {
  return {
    // The expressions see the old row: the same URL is the same endpoint.
    ...(url === undefined
      ? {}
      : {
          disabledReason: raw('case when url = ? then disabled_reason end', [url]),
          failingSince: raw('case when url = ? then failing_since end', [url]),
        }),
    ...(enabled === true ? { disabledReason: null, failingSince: null, disabledAt: null } : {}),
    ...(enabled === false ? { disabledAt: DISABLED_AT } : {}),
  };
}

/** Keeps the time of a webhook that was disabled before. */
const DISABLED_AT = raw('coalesce(disabled_at, now())');

/**
 * Gives a webhook a new secret. The old one also signs for some hours; the one before that no longer does.
 * @returns undefined when the record has no webhook with this id
 */
export function rotateSecret(
  db: Database,
  recordId: string,
  id: string,
  { sealedSecret, overlapHours }: { sealedSecret: Buffer; overlapHours: number },
): Promise<PublicWebhook | undefined> {
  const changes = {
    sealedSecret,
    // The reference gives the old secret.
    previousSealedSecret: ref('sealedSecret'),
    previousSecretUntil: raw(`now() + ? * interval '1 hour'`, [overlapHours]),
  };
  return patchWebhook(db, { recordId, id }, changes);
}

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

/** The most deliveries that one statement deletes, so that each stays within its time limit. */
const LARGEST_STEP = 2_000;

interface Deletion {
  step?: number;
  /** Runs in the transaction that disables the webhook. */
  inFirstStep?: (trx: Database, webhook: PublicWebhook) => Promise<void>;
}

/**
 * Deletes a webhook with its deliveries and their attempts, in steps. Disables it first, so that no delivery is added and
 * nothing is sent. If it is interrupted, the webhook stays disabled, and the call can be repeated.
 * @returns false when there is none
 */
export async function deleteWebhook(
  db: Database,
  recordId: string,
  id: string,
  { step = LARGEST_STEP, inFirstStep }: Deletion = {},
): Promise<boolean> {
  const isDisabled = await db.transaction(async (trx) => {
    const changes = { enabled: false, disabledAt: DISABLED_AT };
    const webhook = await patchWebhook(trx, { recordId, id }, changes);
    if (webhook !== undefined) await inFirstStep?.(trx, webhook);
    return webhook !== undefined;
  });
  if (!isDisabled) return false;
  for (let deleted = step; deleted === step;) deleted = await deleteOldestDeliveries(db, id, step);
  return (await WebhookModel.query(db).where({ recordId, id }).delete()) > 0;
}

/** Locks the webhook, so that attempts which end meanwhile are not recorded and wait for nothing. */
async function deleteOldestDeliveries(db: Database, webhookId: string, step: number): Promise<number> {
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
