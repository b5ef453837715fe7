// What attempts came to: writes them down, moves their deliveries on, and disables webhooks whose endpoints are gone.
import type { DeliveryStatus } from '../../core/deliveries.ts';
import type { AttemptErrorCode } from '../../core/errors.ts';
import type { Database } from '../driver/knex.ts';
import { isoTime, NEW_DELIVERY_ID } from './new-deliveries.ts';
import { preparedWrite } from '../driver/prepared.ts';

/** What one attempt came to, and what follows from it. */
export interface AttemptRecord {
  deliveryId: string;
  webhookId: string;
  number: number;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  errorCode: AttemptErrorCode | null;
  responseExcerpt: string | null;
  status: DeliveryStatus;
  /** Only while the status is pending. */
  nextAttemptInMs: number | null;
  /** Where it was sent to. */
  url: string;
  /** Why this attempt is the webhook's last, unless it has another URL by now: disables it in the same statement. */
  disableReason: string | null;
}

export interface RecordedAttempts {
  /** Statuses of the deliveries that moved, by id. */
  statuses: ReadonlyMap<string, DeliveryStatus>;
  /** Webhooks that these attempts were the last of, by id, with the reason. */
  disabled: ReadonlyMap<string, string>;
  /** New deliveries that tell other webhooks of it. */
  notices: readonly string[];
}

const FAILING_REASON = 'Nothing but failures for five days.';

/** Nothing was sent where a secret could not be read: our own fault, which says nothing of the endpoint. */
const isSent = (errorCode: string): string => `${errorCode} is distinct from 'secret_unreadable'`;

/**
 * Failures for five days, among them some that are half a day apart: an endpoint that was down twice with nothing
 * in between is not given up. Asked only of webhooks that have failed for so long. A schedule takes three to four days, so
 * the deliveries of ten days tell, and no others are read: ids are in the order of creation.
 */
const IS_GIVEN_UP = `webhooks.failing_since < now() - interval '5 days' and exists (
  select from deliveries earlier cross join lateral (
    select from attempts where delivery_id = earlier.id and ${isSent('error_code')}
      and started_at between now() - interval '5 days' and now() - interval '12 hours' limit 1) failed
  where earlier.webhook_id = webhooks.id and earlier.id >= 'dlv_' || lpad(to_hex(
    (extract(epoch from now() - interval '10 days') * 1000)::bigint), 12, '0'))`;

/** It may have been cancelled while its attempt was in flight. */
const STAYS_PENDING = `deliveries.status = 'pending' and wanted = 'pending'`;

/**
 * Attempts of many accounts stand in one statement, which must neither fail nor wait for one of them: a webhook that is
 * being deleted is passed over, and so are its attempts; one that is being changed, or recovered, is judged by its next
 * attempt. Deliveries are locked in the order of their ids, and of the webhooks only those that change: the successes of
 * a good one get in nobody's way.
 */
const SQL = `
  with made as materialized (
    select made.*, made.url = webhooks.url as is_there_still from json_to_recordset($1) as made("deliveryId" text,
      "webhookId" text, url text, number integer, "startedAt" timestamptz, "durationMs" integer, "statusCode" integer,
      "errorCode" text, "responseExcerpt" text, status text, "nextAttemptInMs" double precision, "disableReason" text)
    join deliveries on deliveries.id = made."deliveryId"
    join webhooks on webhooks.id = deliveries.webhook_id
    for key share of webhooks skip locked
  ), verdicts as (
    select "webhookId" as id, bool_or("errorCode" is null) as is_reached, min("startedAt") as first_at,
      max("disableReason") as gone
    from made where is_there_still and ${isSent('"errorCode"')} group by "webhookId"
  ), locked as materialized (
    select webhooks.id, is_reached, first_at,
      coalesce(gone, case when not is_reached and ${IS_GIVEN_UP} then '${FAILING_REASON}' end) as reason
    from webhooks join verdicts on verdicts.id = webhooks.id
    where (failing_since is null) <> is_reached or gone is not null
      or failing_since < now() - interval '5 days'
    for no key update of webhooks skip locked
  ), judged as (
    update webhooks set failing_since = case when is_reached then null else coalesce(failing_since, first_at) end,
      enabled = enabled and reason is null,
      disabled_reason = case when enabled then reason else disabled_reason end,
      disabled_at = case when enabled and reason is not null then now() else disabled_at end
    from locked where webhooks.id = locked.id
    returning webhooks.id, webhooks.record_id, webhooks.disabled_reason, old.enabled and not new.enabled as is_disabled
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
      where deliveries.status = 'pending' and deliveries.id not in (select id from alive)))
      and status = 'pending'
    order by id for no key update
  ), cancelled as (
    update deliveries set status = 'cancelled', next_attempt_at = null, finished_at = now()
    where id = any(array(select id from waiting))
  ), notices as (
    insert into deliveries (id, webhook_id, record_id, event_type, event_data, next_attempt_at)
    select ${NEW_DELIVERY_ID}, webhooks.id, webhooks.record_id, 'webhook.disabled',
      json_build_object('disabledWebhookId', disabled.id, 'disabledAt', ${isoTime('now()')},
        'disabledReason', disabled.disabled_reason), now()
    from disabled join webhooks on webhooks.record_id = disabled.record_id
    where webhooks.enabled and 'webhook.disabled' = any(webhooks.event_types)
      and webhooks.id not in (select id from disabled)
    returning id
  ), logged as (
    insert into attempts (delivery_id, number, started_at, duration_ms, status_code, error_code, response_excerpt)
    select "deliveryId", number, "startedAt", "durationMs", "statusCode", "errorCode", "responseExcerpt" from made
    where "deliveryId" in (select id from alive)
    on conflict do nothing
  ), outcomes as (
    select made.*, case when made.status <> 'pending' or "webhookId" not in (select id from disabled) then made.status
      when "disableReason" is null then 'cancelled' else 'failed' end as wanted
    from made
  ), moved as (
    update deliveries set attempt_count = number, in_backlog = false,
      status = case when deliveries.status = 'pending' or wanted = 'delivered' then wanted else deliveries.status end,
      next_attempt_at = case when ${STAYS_PENDING} then now() + "nextAttemptInMs" * interval '1 millisecond' end,
      finished_at = case when ${STAYS_PENDING} then null else now() end
    from outcomes join alive on alive.id = "deliveryId"
    where deliveries.id = alive.id and deliveries.status in ('pending', 'cancelled') and attempt_count = number - 1
    returning deliveries.id, deliveries.status
  )
  select 'moved' as kind, id, status as text from moved
  union all select 'disabled', id, disabled_reason from disabled
  union all select 'notice', id, null from notices`;

/**
 * Records attempts and moves their deliveries on, all in one statement. An attempt whose number is there already (its
 * activity ran twice) changes nothing. A delivery that was cancelled while its attempt was in flight ends as delivered,
 * if it was. A webhook that is disabled here has its other deliveries cancelled, and the record's other webhooks that
 * ask for it are told.
 */
export async function recordAttempts(
  db: Database,
  attempts: readonly AttemptRecord[],
): Promise<RecordedAttempts> {
  const rows = await preparedWrite<{ kind: 'moved' | 'disabled' | 'notice'; id: string; text: string }>(
    db,
    SQL,
    [JSON.stringify(attempts)],
  );
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    // As the table's constraint has them.
    statuses: new Map(of('moved').map(({ id, text }) => [id, text as DeliveryStatus])),
    disabled: new Map(of('disabled').map(({ id, text }) => [id, text])),
    notices: of('notice').map(({ id }) => id),
  };
}
