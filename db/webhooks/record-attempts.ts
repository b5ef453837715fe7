// Records attempts, updates their deliveries, and disables webhooks: after five days of failures alone, or as the attempt says.
import type { DeliveryStatus } from '../../core/deliveries.ts';
import type { AttemptErrorCode } from '../../core/errors.ts';
import type { Database } from '../driver/knex.ts';
import { COLLECTS, FIRST_STATUS, firstAttemptAt } from './collecting.ts';
import { isoTime, NEW_DELIVERY_ID, newsSettings } from './new-deliveries.ts';
import { preparedWrite } from '../driver/prepared.ts';
import { webhooksOf } from './selected-records.ts';

/** The outcome of one attempt, and its consequences. */
export interface NewAttempt {
  deliveryId: string;
  webhookId: string;
  number: number;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  errorCode: AttemptErrorCode | null;
  responseExcerpt: string | null;
  status: DeliveryStatus;
  /** Null unless the status is pending. */
  nextAttemptInMs: number | null;
  /** The URL to which it was sent. */
  url: string;
  /** Why this attempt disables the webhook, unless its URL has changed meanwhile; null when it does not. */
  reasonToDisable: string | null;
}

export interface RecordedAttempts {
  /** The new statuses of the updated deliveries, by id. */
  statuses: ReadonlyMap<string, DeliveryStatus>;
  /** The webhooks that these attempts disabled: the reason by id. */
  disabled: ReadonlyMap<string, string>;
  /** New pending deliveries that notify other webhooks. */
  notices: readonly string[];
}

/** After how many days of nothing but failures an endpoint is given up. */
const GIVEN_UP_AFTER = { days: 5, words: 'five days' };
const FAILING_REASON = `Nothing but failures for ${GIVEN_UP_AFTER.words}.`;
/** Over how many days the attempts of one delivery are spread: three to four, and rarely more. */
const DELIVERY_DAYS = 5;

const daysAgo = (days: number): string => `now() - interval '${days} days'`;

/**
 * SQL of whether an attempt was sent. Nothing is sent when the secret cannot be read, or when the mails of the hour are used up:
 * then nothing is known about the endpoint.
 */
const isSent = (errorCode: string): string =>
  `coalesce(${errorCode}, '') not in ('secret_unreadable', 'mail_limit_reached')`;

const FAILS_FOR_LONG = `webhooks.failing_since < ${daysAgo(GIVEN_UP_AFTER.days)}`;

/**
 * SQL of whether an attempt that fails now is one too many: after five days of nothing but failures, with one in these days at
 * least half a day before the last. Without that one, a first failure and the next one five days later would be enough.
 * Attempts of these days belong to deliveries that began at most DELIVERY_DAYS before. Older deliveries are not read: ids are in
 * the order of creation.
 */
const IS_GIVEN_UP = `${FAILS_FOR_LONG} and exists (
  select from deliveries earlier cross join lateral (
    select from attempts where delivery_id = earlier.id and ${isSent('error_code')}
      and started_at between ${daysAgo(GIVEN_UP_AFTER.days)} and now() - interval '12 hours' limit 1) failed
  where earlier.webhook_id = webhooks.id and earlier.id >= 'dlv_' || lpad(to_hex(
    (extract(epoch from ${daysAgo(GIVEN_UP_AFTER.days + DELIVERY_DAYS)}) * 1000)::bigint), 12, '0'))`;

/** The delivery may have been cancelled during its attempt. */
const STAYS_PENDING = `deliveries.status = 'pending' and wanted = 'pending'`;

/**
 * One statement records attempts of many accounts, and must neither fail nor wait because of one of them. It skips a webhook
 * that is being deleted, with its attempts. A webhook that is being changed or recovered is judged at its next attempt.
 * Deliveries are locked in the order of their ids. Only webhooks that change are locked, so successes block nobody.
 */
const SQL = `
  with made as materialized (
    select made.*, made.url = webhooks.url as is_there_still, deliveries.record_id, webhooks.on_failure
    from json_to_recordset($1) as made("deliveryId" text,
      "webhookId" text, url text, number integer, "startedAt" timestamptz, "durationMs" integer, "statusCode" integer,
      "errorCode" text, "responseExcerpt" text, status text, "nextAttemptInMs" double precision, "reasonToDisable" text)
    join deliveries on deliveries.id = made."deliveryId"
    join webhooks on webhooks.id = deliveries.webhook_id
    for key share of webhooks skip locked
  ), verdicts as (
    select "webhookId" as id, bool_or("errorCode" is null) as is_reached, min("startedAt") as first_at,
      max("reasonToDisable") as gone, max(record_id) as record_id
    from made where is_there_still and ${isSent('"errorCode"')} group by "webhookId"
  ), locked as materialized (
    select webhooks.id, is_reached, first_at, verdicts.record_id,
      coalesce(gone, case when not is_reached and ${IS_GIVEN_UP} then '${FAILING_REASON}' end) as reason
    from webhooks join verdicts on verdicts.id = webhooks.id
    where (failing_since is null) <> is_reached or gone is not null
      or ${FAILS_FOR_LONG}
    for no key update of webhooks skip locked
  ), judged as (
    update webhooks set failing_since = case when is_reached then null else coalesce(failing_since, first_at) end,
      enabled = enabled and reason is null,
      disabled_reason = case when enabled then reason else disabled_reason end,
      disabled_at = case when enabled and reason is not null then now() else disabled_at end
    from locked where webhooks.id = locked.id
    returning webhooks.id, webhooks.account_id is not null as is_of_account, locked.record_id, webhooks.disabled_reason,
      old.enabled and not new.enabled as is_disabled
  ), disabled as (
    select * from judged where is_disabled
  ), alive as materialized (
    select deliveries.id from deliveries
    where id = any(array(select "deliveryId" from made)) and (select count(*) from judged) >= 0
    order by id for no key update
  ), waiting as materialized (
    select id from deliveries
    where id = any(array(
      select deliveries.id from disabled join deliveries on deliveries.webhook_id = disabled.id
      where deliveries.status in ('pending', 'collecting') and deliveries.id not in (select id from alive)))
      and status in ('pending', 'collecting')
    order by id for no key update
  ), cancelled as (
    update deliveries set status = 'cancelled', next_attempt_at = null, finished_at = now()
    where id = any(array(select id from waiting))
  ), notices as (
    insert into deliveries (id, webhook_id, record_id, event_type, event_data, status, next_attempt_at, body_settings)
    select ${NEW_DELIVERY_ID}, webhooks.id, disabled.record_id, 'webhook.disabled',
      json_build_object('disabledWebhookId', disabled.id, 'disabledAt', ${isoTime('now()')},
        'disabledReason', disabled.disabled_reason), ${FIRST_STATUS}, ${firstAttemptAt('now()')}, ${newsSettings('disabled.record_id')}
    from disabled cross join lateral ${webhooksOf('disabled.record_id')} webhooks
    cross join lateral (select ${COLLECTS} as collects) waits
    where webhooks.enabled and 'webhook.disabled' = any(webhooks.event_types)
      and (webhooks.account_id is not null or not disabled.is_of_account)
      and webhooks.id not in (select id from disabled)
    returning id, status
  ), logged as (
    insert into attempts (delivery_id, number, started_at, duration_ms, status_code, error_code, response_excerpt)
    select "deliveryId", number, "startedAt", "durationMs", "statusCode", "errorCode", "responseExcerpt" from made
    where "deliveryId" in (select id from alive)
    on conflict do nothing
  ), outcomes as (
    select made.*, case when made.status <> 'pending' or "webhookId" not in (select id from disabled) then made.status
      when "reasonToDisable" is null then 'cancelled' else 'failed' end as wanted
    from made
  ), moved as (
    update deliveries set attempt_count = number, in_backlog = false,
      attempts_before = attempts_before + case when "errorCode" = 'mail_limit_reached' then 1 else 0 end,
      status = case when deliveries.status = 'pending' or wanted = 'delivered' then wanted else deliveries.status end,
      next_attempt_at = case when ${STAYS_PENDING} then now() + "nextAttemptInMs" * interval '1 millisecond' end,
      finished_at = case when ${STAYS_PENDING} then null else now() end,
      line_position = case when wanted <> 'failed' or on_failure <> 'skip' then line_position end
    from outcomes join alive on alive.id = "deliveryId"
    where deliveries.id = alive.id and deliveries.status in ('pending', 'cancelled') and attempt_count = number - 1
    returning deliveries.id, deliveries.status
  )
  select 'moved' as kind, id, status as text from moved
  union all select 'disabled', id, disabled_reason from disabled
  union all select 'notice', id, null from notices where status = 'pending'`;

/**
 * Records attempts and updates their deliveries in one statement. An attempt that is already recorded (its activity ran
 * twice) changes nothing. A delivery that was cancelled during a successful attempt ends as delivered. One that fails, and is
 * skipped, leaves its line, so that it does not block later under another setting. When a webhook is disabled here, its other deliveries are cancelled, and subscribed webhooks of the same record are notified. If it was an
 * account webhook, only account webhooks are.
 */
export async function recordAttempts(
  db: Database,
  attempts: readonly NewAttempt[],
): Promise<RecordedAttempts> {
  const rows = await preparedWrite<{ kind: 'moved' | 'disabled' | 'notice'; id: string; text: string }>(
    db,
    SQL,
    [JSON.stringify(attempts)],
  );
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    // The table's constraint allows no other values.
    statuses: new Map(of('moved').map(({ id, text }) => [id, text as DeliveryStatus])),
    disabled: new Map(of('disabled').map(({ id, text }) => [id, text])),
    notices: of('notice').map(({ id }) => id),
  };
}
