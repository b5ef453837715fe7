// Deliveries: what is owed to a webhook for an event, and what each attempt came to.
import type { DeliveredEvent } from '../core/delivery-payload.ts';
import type { AttemptErrorCode } from '../core/errors.ts';
import { type Database, rawRows } from './knex.ts';

/** A delivery with all that an attempt needs; the event's and the record's words are read at the attempt. */
export interface DueDelivery extends DeliveredEvent {
  id: string;
  attemptCount: number;
  /** Until the next attempt is due; 0 when it is, and when there will be none. */
  dueInMs: number;
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  isWebhookEnabled: boolean;
  url: string;
  sealedSecret: Buffer;
  accountId: string;
  wrappedDataKey: Buffer;
}

const DUE = `
  select deliveries.id, webhook_id as "webhookId", attempt_count as "attemptCount", deliveries.status,
    greatest(0, extract(epoch from next_attempt_at - now())::double precision * 1000) as "dueInMs",
    webhooks.enabled as "isWebhookEnabled", webhooks.url, webhooks.sealed_secret as "sealedSecret",
    accounts.id as "accountId", accounts.wrapped_data_key as "wrappedDataKey",
    records.id as "recordId", records.name as "recordName", records.slug as "recordSlug",
    delta_event_id as "deltaEventId", snapshot_id as "snapshotId", detected_at as "detectedAt",
    new_count as "newCount", changed_count as "changedCount", deleted_count as "deletedCount",
    unchanged_count as "unchangedCount", total_count as "totalCount",
    new_keys as "newKeys", changed_keys as "changedKeys", deleted_keys as "deletedKeys"
  from deliveries
  join webhooks on webhooks.id = deliveries.webhook_id
  join records on records.id = deliveries.record_id and records.deleted_at is null
  join accounts on accounts.id = records.account_id
  join delta_events on delta_events.id = deliveries.delta_event_id`;

/** The event's deliveries for which no attempt is on record yet. */
export function listFirstAttempts(db: Database, deltaEventId: string): Promise<DueDelivery[]> {
  return rawRows<DueDelivery>(
    db,
    `${DUE} where delta_event_id = ? and deliveries.status = 'pending' and attempt_count = 0 order by deliveries.id`,
    [deltaEventId],
  );
}

/** What waits for a later attempt of the event's deliveries. */
export function listLaterAttempts(
  db: Database,
  deltaEventId: string,
): Promise<{ id: string; attemptCount: number; dueInMs: number }[]> {
  return rawRows(
    db,
    `select id, attempt_count as "attemptCount",
       greatest(0, extract(epoch from next_attempt_at - now())::double precision * 1000) as "dueInMs"
     from deliveries where delta_event_id = ? and status = 'pending' and attempt_count > 0 order by id`,
    [deltaEventId],
  );
}

/** The event of a check, if deliveries of it still wait for their first attempt; null otherwise. */
export async function findPendingDeliveries(
  db: Database,
  checkId: string,
): Promise<{ deltaEventId: string; count: number } | null> {
  const [pending] = await rawRows<{ deltaEventId: string; count: number }>(
    db,
    `select checks.delta_event_id as "deltaEventId", count(*) as count
     from checks join deliveries on deliveries.delta_event_id = checks.delta_event_id
     where checks.id = ? and deliveries.status = 'pending' and attempt_count = 0
     group by checks.delta_event_id`,
    [checkId],
  );
  return pending ?? null;
}

export async function findDelivery(db: Database, id: string): Promise<DueDelivery | undefined> {
  const [delivery] = await rawRows<DueDelivery>(db, `${DUE} where deliveries.id = ?`, [id]);
  return delivery;
}

/** What one attempt came to, and what follows from it. */
export interface AttemptRecord {
  deliveryId: string;
  number: number;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  errorCode: AttemptErrorCode | null;
  responseExcerpt: string | null;
  status: DueDelivery['status'];
  /** Only while the status is pending. */
  nextAttemptInMs: number | null;
  /** Why this attempt is the webhook's last: disables it in the same statement. Null leaves it enabled. */
  disableReason: string | null;
}

/**
 * Records attempts and moves their deliveries on, all in one statement. An attempt whose number is there
 * already (its activity ran twice) changes nothing.
 */
export async function recordAttempts(db: Database, attempts: readonly AttemptRecord[]): Promise<void> {
  await rawRows(
    db,
    `with made as (
       select * from json_to_recordset(?) as made("deliveryId" text, number integer, "startedAt" timestamptz,
         "durationMs" integer, "statusCode" integer, "errorCode" text, "responseExcerpt" text, status text,
         "nextAttemptInMs" double precision, "disableReason" text)
     ), disabled as (
       update webhooks set enabled = false, disabled_reason = made."disableReason"
       from made join deliveries on deliveries.id = made."deliveryId"
       where webhooks.id = deliveries.webhook_id and made."disableReason" is not null
     ), logged as (
       insert into attempts (delivery_id, number, started_at, duration_ms, status_code, error_code, response_excerpt)
       select made."deliveryId", made.number, made."startedAt", made."durationMs", made."statusCode",
         made."errorCode", made."responseExcerpt"
       from made join deliveries on deliveries.id = made."deliveryId"
       on conflict do nothing
     )
     update deliveries set attempt_count = made.number, status = made.status,
       next_attempt_at = now() + made."nextAttemptInMs" * interval '1 millisecond',
       finished_at = case when made.status = 'pending' then null else now() end
     from made
     where deliveries.id = made."deliveryId" and deliveries.status = 'pending'
       and deliveries.attempt_count = made.number - 1`,
    [JSON.stringify(attempts)],
  );
}

/** Ends deliveries that will not be made: their webhook was disabled. */
export async function cancelDelivery(db: Database, id: string): Promise<void> {
  await rawRows(
    db,
    `update deliveries set status = 'cancelled', next_attempt_at = null, finished_at = now()
     where id = ? and status = 'pending'`,
    [id],
  );
}
