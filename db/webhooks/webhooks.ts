// Webhooks: the endpoints that receive the events of a record or of an account's records, and which events each receives.
import { fn, Model, type PartialModelObject, raw, ref } from 'objection';
import { isDeepStrictEqual } from 'node:util';
import {
  type BodyContent,
  type BodyFormat,
  type FailureEffect,
  isNoticeFormat,
  type WebhookEventType,
} from '../../core/deliveries.ts';
import type { Digest } from '../../core/notices/digest-times.ts';
import type { ChangeType } from '../rows/delta-rows.ts';
import { sendCollected, waitAgain } from './collected-events.ts';
import { cancelAllDeliveries } from './deliveries.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { noteToldFailures } from './failed-check-news.ts';
import { reline } from './lines.ts';
import { type PageRequest, pageById, type SortOrder } from '../page.ts';
import { AccountModel } from '../accounts/accounts.ts';
import { RecordModel } from '../records/records.ts';
import type { RecordSelection } from './selected-records.ts';

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
  /** As it was given, in the form of JSONLogic; null: none. */
  condition: object | null;
  format: BodyFormat;
  /** What a body says of changed rows. The next two concern bodies with rows. */
  include: BodyContent;
  maxBodyBytes: number;
  /** The columns of each row; null: all. */
  fields: string[] | null;
  /** Whether the events of a record are sent one at a time, in their order. */
  ordered: boolean;
  onFailure: FailureEffect;
  /** For how long a record must be without a change before `record.quiet`. */
  quietHours: number;
  /** After how many failed checks in a row `check.failed` is sent. */
  failingAfter: number;
  /** When the events of a time are sent together; null: each is sent at once. */
  digest: Digest | null;
}

/** Whose webhook it is. The webhooks of an account are not those of its records. */
export type WebhookOwner = { recordId: string } | { accountId: string };

/** Of which records a webhook of an account gets the events: of all, of those with all of these labels, or of these. */
export type SelectedRecords =
  | { selects: 'all' }
  | { selects: 'labels'; labels: Readonly<Record<string, string>> }
  | { selects: 'list'; recordIds: readonly string[] };

/** The columns that may be shown: all but the secrets. */
const PUBLIC_COLUMNS = [
  'id',
  'selects',
  'labels',
  'url',
  'enabled',
  'disabledReason',
  'disabledAt',
  'description',
  'eventTypes',
  'changeTypes',
  'columns',
  'minChanges',
  'condition',
  'format',
  'include',
  'maxBodyBytes',
  'fields',
  'ordered',
  'onFailure',
  'quietHours',
  'failingAfter',
  'digest',
  'previousSecretUntil',
  'failingSince',
  'createdAt',
] as const;

export class WebhookModel extends Model implements WebhookSettings {
  static override tableName = 'webhooks';
  declare id: string;
  /** Null for the webhook of an account. */
  declare recordId: string | null;
  /** Null for the webhook of a record, as the next two. */
  declare accountId: string | null;
  declare selects: RecordSelection | null;
  declare labels: Readonly<Record<string, string>> | null;
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
  declare condition: object | null;
  declare format: BodyFormat;
  declare include: BodyContent;
  declare maxBodyBytes: number;
  declare fields: string[] | null;
  declare ordered: boolean;
  declare onFailure: FailureEffect;
  declare quietHours: number;
  declare failingAfter: number;
  declare digest: Digest | null;
  /** Also signs until `previousSecretUntil`; null before the first rotation. */
  declare previousSealedSecret: Buffer | null;
  declare previousSecretUntil: Date | null;
  declare failingSince: Date | null;
  declare createdAt: Date;
}

export type PublicWebhook = Pick<WebhookModel, (typeof PUBLIC_COLUMNS)[number]> & {
  /** The records in its list, oldest first; null where it has none. */
  recordIds: string[] | null;
};

export type NewWebhook = WebhookOwner &
  Pick<WebhookModel, 'id' | 'url' | 'sealedSecret'> &
  Partial<WebhookSettings>;

/** Deleted records are no longer in the list. */
const RECORD_IDS = raw(`case when webhooks.selects = 'list' then array(
  select records.id from webhook_records join records on records.id = webhook_records.record_id
  where webhook_records.webhook_id = webhooks.id and records.deleted_at is null order by records.id) end`);

/** The webhooks of an owner, or one of them. */
const publicWebhooks = (db: Database, of: WebhookOwner & { id?: string }) =>
  WebhookModel.query(db)
    .where(of)
    .select(...PUBLIC_COLUMNS, RECORD_IDS.as('recordIds'));

/** Changes a webhook. @returns undefined when the owner has none with this id */
async function patchWebhook(
  trx: Database,
  owner: WebhookOwner,
  id: string,
  changes: PartialModelObject<WebhookModel>,
): Promise<PublicWebhook | undefined> {
  const changed = await WebhookModel.query(trx)
    .where({ ...owner, id })
    .patch(changes);
  return changed === 0 ? undefined : findWebhook(trx, owner, id);
}

/**
 * Inserts a webhook. The owner's row is locked meanwhile, so that two parallel requests cannot both insert the last
 * webhook allowed.
 * @param selected for the webhook of an account
 * @returns undefined when the owner has `atMost` webhooks already, or is being deleted
 */
export function insertWebhook(
  db: Database,
  webhook: NewWebhook,
  atMost: number,
  selected?: SelectedRecords,
): Promise<PublicWebhook | undefined> {
  return db.transaction(async (trx) => {
    const { id, enabled = true } = webhook;
    const owner = 'recordId' in webhook ? { recordId: webhook.recordId } : { accountId: webhook.accountId };
    if (!(await lockOwner(trx, owner))) return undefined;
    if ((await WebhookModel.query(trx).where(owner).resultSize()) >= atMost) return undefined;
    await WebhookModel.query(trx).insert({
      ...webhook,
      ...(selected === undefined ? {} : columnsOf(selected)),
      ...(enabled ? {} : { disabledAt: fn.now() }),
    });
    if (selected !== undefined) await writeList(trx, id, selected);
    // `insert` would return the secret.
    return findWebhook(trx, owner, id);
  });
}

async function lockOwner(trx: Database, owner: WebhookOwner): Promise<boolean> {
  const locked =
    'recordId' in owner
      ? await RecordModel.query(trx).findById(owner.recordId).select('id').forNoKeyUpdate()
      : await AccountModel.query(trx)
          .findById(owner.accountId)
          .whereNull('deletedAt')
          .select('id')
          .forNoKeyUpdate();
  return locked !== undefined;
}

const columnsOf = (selected: SelectedRecords): Pick<WebhookModel, 'selects' | 'labels'> => ({
  selects: selected.selects,
  labels: selected.selects === 'labels' ? selected.labels : null,
});

/** Writes the list of a webhook whose row is locked. */
async function writeList(trx: Database, webhookId: string, selected: SelectedRecords): Promise<void> {
  await trx('webhook_records').where({ webhookId }).delete();
  if (selected.selects !== 'list' || selected.recordIds.length === 0) return;
  await trx('webhook_records').insert(selected.recordIds.map((recordId) => ({ webhookId, recordId })));
}

export async function listWebhooks(
  db: Database,
  owner: WebhookOwner,
  order: SortOrder,
  page: PageRequest<string>,
): Promise<PublicWebhook[]> {
  return pageById(publicWebhooks(db, owner), order, page).castTo<PublicWebhook[]>();
}

export async function findWebhook(
  db: Database,
  owner: WebhookOwner,
  id: string,
): Promise<PublicWebhook | undefined> {
  return publicWebhooks(db, { ...owner, id })
    .first()
    .castTo<PublicWebhook | undefined>();
}

/** Reads a webhook, and locks it until the end of the transaction. Its deliveries can still be inserted. */
export async function lockWebhook(
  trx: Database,
  owner: WebhookOwner,
  id: string,
): Promise<PublicWebhook | undefined> {
  return publicWebhooks(trx, { ...owner, id })
    .forNoKeyUpdate()
    .first()
    .castTo<PublicWebhook | undefined>();
}

/**
 * Changes a webhook. Disabling it cancels its pending deliveries in the same transaction. Enabling it, or giving it
 * another URL, resets its history of failures.
 * @param selected for the webhook of an account, if that changes
 * @returns undefined when the owner has none with this id
 */
export function updateWebhook(
  db: Database,
  owner: WebhookOwner,
  id: string,
  changes: Partial<WebhookSettings>,
  selected?: SelectedRecords,
): Promise<PublicWebhook | undefined> {
  return db.transaction(async (trx) => {
    const columns = selected === undefined ? {} : columnsOf(selected);
    if (changes.onFailure === 'block') await forgetSkipped(trx, owner, id);
    if ((changes.failingAfter ?? 1) > 1) await keepToldFailures(trx, owner, id);
    const hasOtherDigest = changes.digest !== undefined && !(await hasDigest(trx, owner, id, changes.digest));
    const webhook = await patchWebhook(trx, owner, id, {
      ...changes,
      ...columns,
      ...consequencesOf(changes),
    });
    if (webhook === undefined) return undefined;
    if (changes.enabled === false) await cancelAllDeliveries(trx, id);
    if (hasOtherDigest) await waitAgain(trx, id);
    if (endsCollecting(changes, webhook)) await sendCollected(trx, id);
    if (changes.ordered !== undefined) await reline(trx, id, changes.ordered);
    if (selected === undefined) return webhook;
    await writeList(trx, id, selected);
    return findWebhook(trx, owner, id);
  });
}

/**
 * Failed deliveries that were skipped leave their lines, so that they do not block later. Those that fail now have left them
 * (record-attempts.ts), those of an earlier version have not. Runs before the setting changes. Attempts are recorded meanwhile.
 */
async function forgetSkipped(trx: Database, owner: WebhookOwner, id: string): Promise<void> {
  const skipping = WebhookModel.query(trx)
    .where({ ...owner, id, onFailure: 'skip' })
    .select('id')
    .forNoKeyUpdate();
  await trx('deliveries')
    .where('webhookId', 'in', skipping.toKnexQuery())
    .where({ status: 'failed' })
    .whereNotNull('linePosition')
    .update({ linePosition: null });
}

/** A webhook that is notified of first failures also gets `check.recovered` after its `failingAfter` grows. */
async function keepToldFailures(trx: Database, owner: WebhookOwner, id: string): Promise<void> {
  const told = WebhookModel.query(trx).where({ ...owner, id, failingAfter: 1 });
  if ((await told.select('id').forNoKeyUpdate()).length > 0) await noteToldFailures(trx, id);
}

const hasDigest = async (trx: Database, owner: WebhookOwner, id: string, digest: Digest | null) =>
  isDeepStrictEqual((await lockWebhook(trx, owner, id))?.digest, digest);

/** Programs get each event at once, and so do chats that get one at a time; mails do not (collecting.ts). */
const endsCollecting = (changes: Partial<WebhookSettings>, { format }: PublicWebhook): boolean =>
  (changes.format !== undefined && !isNoticeFormat(format)) ||
  (changes.ordered === true && format !== 'mail');

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
 * @returns undefined when the owner has no webhook with this id
 */
export function rotateSecret(
  db: Database,
  owner: WebhookOwner,
  id: string,
  { sealedSecret, overlapHours }: { sealedSecret: Buffer; overlapHours: number },
): Promise<PublicWebhook | undefined> {
  const changes = {
    sealedSecret,
    // The reference gives the old secret.
    previousSealedSecret: ref('sealedSecret'),
    previousSecretUntil: raw(`now() + ? * interval '1 hour'`, [overlapHours]),
  };
  return db.transaction((trx) => patchWebhook(trx, owner, id, changes));
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
  owner: WebhookOwner,
  id: string,
  { step = LARGEST_STEP, inFirstStep }: Deletion = {},
): Promise<boolean> {
  const isDisabled = await db.transaction(async (trx) => {
    const changes = { enabled: false, disabledAt: DISABLED_AT };
    const webhook = await patchWebhook(trx, owner, id, changes);
    if (webhook !== undefined) await inFirstStep?.(trx, webhook);
    return webhook !== undefined;
  });
  if (!isDisabled) return false;
  for (let deleted = step; deleted === step;) deleted = await deleteOldestDeliveries(db, id, step);
  return (
    (await WebhookModel.query(db)
      .where({ ...owner, id })
      .delete()) > 0
  );
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
