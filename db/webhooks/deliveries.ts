// Deliveries that wait for an attempt, with what the attempt needs; postponing and cancelling them.
import type { DeliveryStatus, PendingDeliveries } from '../../core/deliveries.ts';
import type { DeliveryRecord } from '../../core/delivery-payload.ts';
import type { BodySettings, RowSettings } from '../../core/delivery-rows.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { lookUp, preparedPage, preparedWrite } from '../driver/prepared.ts';

/** Read at each attempt, so that the body holds the record's current name. The delta event is read separately. */
export interface DueDelivery extends DeliveryRecord {
  id: string;
  status: DeliveryStatus;
  attemptCount: number;
  /** Attempts before the delivery was reopened. */
  attemptsBefore: number;
  /** The time until the next attempt is due; 0 when it is due and when there will be none. */
  dueInMs: number;
  eventType: string;
  happenedAt: Date;
  /** Null when the delivery is not about a delta event. */
  deltaEventId: string | null;
  /** JSON text; null for a delta event. */
  eventData: string | null;
  /** Whether it may be sent only under a lease of its line. */
  isOrdered: boolean;
  /** Null for a body with the members alone, and without rows. */
  bodySettings: BodySettings | null;
  /** Null where the webhook has no condition. */
  conditionOutcome: 'met' | 'undecided' | null;
  /** Of the record. Null without body settings. */
  recordNo: number | null;
  isWebhookEnabled: boolean;
  url: string;
  /** Of a webhook that sends mails: whether a user of the account still has the address. Null for other webhooks. */
  isOwnAddress: boolean | null;
  sealedSecret: Buffer;
  /** The previous secret, as long as it also signs. */
  previousSealedSecret: Buffer | null;
  accountId: string;
  wrappedDataKey: Buffer;
}

/** The address follows `mailto:`. */
const IS_OWN_ADDRESS = `case when webhooks.format = 'mail' then exists (
  select from users where users.account_id = accounts.id and users.email = substr(webhooks.url, 8)) end`;

/** Selects what attempts need from the relation named `deliveries`: the table, or a CTE of that name. */
export const DUE = `
  select deliveries.id, webhook_id as "webhookId", attempt_count as "attemptCount", deliveries.status,
    attempts_before as "attemptsBefore", event_type as "eventType", deliveries.created_at as "happenedAt",
    delta_event_id as "deltaEventId", event_data::text as "eventData", body_settings as "bodySettings",
    line_position is not null as "isOrdered", condition_outcome as "conditionOutcome",
    case when body_settings is not null then (
      select record_no from record_heads where record_id = records.id) end as "recordNo",
    greatest(0, extract(epoch from next_attempt_at - now())::double precision * 1000) as "dueInMs",
    webhooks.enabled as "isWebhookEnabled", webhooks.url, ${IS_OWN_ADDRESS} as "isOwnAddress", webhooks.sealed_secret as "sealedSecret",
    case when previous_secret_until > now() then previous_sealed_secret end as "previousSealedSecret",
    accounts.id as "accountId", accounts.wrapped_data_key as "wrappedDataKey",
    records.id as "recordId", records.name as "recordName", records.slug as "recordSlug"
  from deliveries
  join webhooks on webhooks.id = deliveries.webhook_id
  join records on records.id = deliveries.record_id and records.deleted_at is null
  join accounts on accounts.id = records.account_id`;

const FIRST_ATTEMPTS = `${DUE}
  where check_id = $1 and deliveries.status = 'pending' and attempt_count = 0 and not in_backlog
  order by deliveries.id`;

const CLAIM_FIRST_ATTEMPTS = `
  with due as (
    select id from deliveries
    where check_id = $1 and status = 'pending' and attempt_count = 0 and not in_backlog and next_attempt_at <= now()
    order by id for no key update skip locked
  ), claimed as (
    update deliveries set next_attempt_at = now() + $2::double precision * interval '1 millisecond'
    where id in (select id from due) returning id
  )
  select first_attempts.*, exists (select from claimed where claimed.id = first_attempts.id) as "isClaimed"
  from (${FIRST_ATTEMPTS}) first_attempts order by id`;

export interface FirstAttempt extends DueDelivery {
  /** False when another run makes the attempt. */
  isClaimed: boolean;
}

/**
 * The check's deliveries without a recorded attempt, except for those in a backlog. Claims those that are due: postpones
 * them, so that no other run claims them before the time is over.
 */
export function claimFirstAttempts(db: Database, checkId: string, claimMs: number): Promise<FirstAttempt[]> {
  return preparedWrite<FirstAttempt>(db, CLAIM_FIRST_ATTEMPTS, [checkId, claimMs]);
}

const BACKLOG = `${DUE}
  where webhook_id = $1 and in_backlog and deliveries.status = 'pending' and line_position is null
    and deliveries.id <> all($3::text[])
  order by next_attempt_at, deliveries.id limit $2`;

/**
 * The oldest deliveries of a webhook's backlog, except for those that wait in a line (lines.ts).
 * @param except ids to leave out, because their attempts are under way and not recorded yet
 */
export function listBacklog(
  db: Database,
  webhookId: string,
  limit: number,
  except: readonly string[] = [],
): Promise<DueDelivery[]> {
  return preparedPage<DueDelivery>(db, BACKLOG, [webhookId, limit, except]);
}

const ONE = `${DUE} where deliveries.id = $1`;

export async function findDelivery(db: Database, id: string): Promise<DueDelivery | undefined> {
  const [delivery] = await lookUp<DueDelivery>(db, ONE, [id]);
  return delivery;
}

/** Which rows are in the body of a delivery. @returns undefined for one without rows */
export async function findRowSettings(
  db: Database,
  deltaEventId: string,
  id: string,
): Promise<RowSettings | undefined> {
  const sql = `select body_settings -> 'rows' as settings from deliveries where id = $1 and delta_event_id = $2`;
  const [row] = await lookUp<{ settings: RowSettings | null }>(db, sql, [id, deltaEventId]);
  return row?.settings ?? undefined;
}

/** The check's deliveries that wait for a later attempt. */
export function listLaterAttempts(
  db: Database,
  checkId: string,
): Promise<{ id: string; attemptCount: number; dueInMs: number }[]> {
  return rawRows(
    db,
    `select id, attempt_count as "attemptCount",
       greatest(0, extract(epoch from next_attempt_at - now())::double precision * 1000) as "dueInMs"
     from deliveries where check_id = ? and status = 'pending' and attempt_count > 0 and not in_backlog order by id`,
    [checkId],
  );
}

/** The deliveries of a check that wait for their first attempt; null when there are none. */
export async function findPendingDeliveries(
  db: Database,
  checkId: string,
): Promise<PendingDeliveries | null> {
  const [pending] = await rawRows<PendingDeliveries>(
    db,
    `select check_id as "checkId", count(*) as count from deliveries
     where check_id = ? and status = 'pending' and attempt_count = 0 and not in_backlog group by check_id`,
    [checkId],
  );
  return pending ?? null;
}

/** Moves deliveries of busy endpoints to the backlogs of their webhooks. No attempt is counted. Locks them by id. */
export async function leaveToBacklog(db: Database, ids: readonly string[]): Promise<void> {
  await rawRows(
    db,
    `update deliveries set in_backlog = true, next_attempt_at = now() where id = any(array(
       select id from deliveries where id = any(?::text[]) and status = 'pending' order by id for no key update))`,
    [[...ids]],
  );
}

/** Postpones a delivery's next attempt, so that reconciling does not take it for lost. */
export async function postponeDelivery(db: Database, id: string, waitMs: number): Promise<void> {
  await rawRows(
    db,
    `update deliveries set next_attempt_at = now() + ?::double precision * interval '1 millisecond'
     where id = ? and status = 'pending'`,
    [waitMs, id],
  );
}

/**
 * Postpones deliveries whose first attempt is in flight. Leaves those alone that are recorded meanwhile, and waits for no
 * lock: a delivery that another statement changes needs no postponement.
 */
export async function postponeFirstAttempts(
  db: Database,
  ids: readonly string[],
  waitMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  await rawRows(
    db,
    `update deliveries set next_attempt_at = now() + :waitMs::double precision * interval '1 millisecond'
     where id = any(array(
       select id from deliveries
       where id = any(:ids::text[]) and status = 'pending' and attempt_count = 0 and not in_backlog
       order by id for no key update skip locked))`,
    { ids: [...ids], waitMs },
  );
}

/**
 * Cancels deliveries of a disabled webhook. They are locked in the order of their ids, as where attempts are recorded, so that
 * the two cannot deadlock.
 */
const cancel = (which: string): string => `
  update deliveries set status = 'cancelled', next_attempt_at = null, finished_at = now()
  where id = any(array(
    select id from deliveries where ${which} and status in ('pending', 'collecting') order by id for no key update))`;

export async function cancelDeliveries(db: Database, ids: readonly string[]): Promise<void> {
  await rawRows(db, cancel('id = any(?::text[])'), [[...ids]]);
}

/** Cancels all pending deliveries of a webhook, and what waits for its digest. */
export async function cancelAllDeliveries(db: Database, webhookId: string): Promise<void> {
  await rawRows(db, cancel('webhook_id = ?'), [webhookId]);
}
