// Creates the deliveries of an event, in the transaction that commits the event.
import { versionBeforeSql } from '../rows/delta-rows.ts';
import { type Knex, rawRows } from '../driver/knex.ts';

export const NEW_DELIVERY_ID = `'dlv_' || replace(uuidv7()::text, '-', '')`;

/** A time as in all bodies: UTC, with milliseconds. */
export const isoTime = (time: string): string =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const wants = (changeType: string): string =>
  `(webhooks.change_types is null or '${changeType}' = any(webhooks.change_types))`;

const countOf = (changeType: 'new' | 'changed' | 'deleted'): string =>
  `case when ${wants(changeType)} then delta_events.${changeType}_count else 0 end`;

/**
 * Counts changed rows in which one of the webhook's columns differs, and stops at the number that the webhook asks for.
 * Compares the texts, so 1.10 and 1.1 differ, and so do a null and a missing value.
 */
const CHANGED_IN_COLUMNS = `(
  select count(*) from (
    select from row_versions opened
    join lateral (${versionBeforeSql('opened')}) closed on true
    where opened.record_no = record_heads.record_no and opened.generation = delta_events.generation
      and opened.first_seq = delta_events.sequence
      and exists (
        select from unnest(webhooks.columns) name
        where (closed.data -> name)::text is distinct from (opened.data -> name)::text)
    limit coalesce(webhooks.min_changes, 1)
  ) found)`;

/**
 * Whether a delta event concerns a webhook: enough of its changes pass the webhook's filters. New and deleted rows always
 * pass a filter of columns, because all of their columns came or went. Refers to `webhooks`, `delta_events` and
 * `record_heads`. Reads the stored rows only where a filter names columns, so it also works for past events. Does not test
 * whether the webhook is enabled and asks for `delta`.
 */
export const CONCERNS = `(
  not delta_events.is_no_change
  and ${countOf('new')} + ${countOf('deleted')}
    + case when not ${wants('changed')} then 0 when webhooks.columns is null then delta_events.changed_count
      when delta_events.changed_count = 0 then 0 else ${CHANGED_IN_COLUMNS} end
    >= coalesce(webhooks.min_changes, 1))`;

/**
 * Inserts one pending delivery for each enabled webhook that asks for an outcome of a successful check: changed rows,
 * changed columns, or the recovery after failed checks.
 * @param isOfOrigin whether the check asked the origin. Otherwise it does not tell whether the origin has recovered
 * @returns the number of deliveries
 */
export async function insertDeliveries(
  trx: Knex.Transaction,
  recordId: string,
  deltaEventId: string,
  { isOfOrigin }: { isOfOrigin: boolean },
): Promise<number> {
  const [inserted] = await rawRows<{ count: number }>(
    trx,
    `with recovered as (
       update record_heads set failing_since = null
       where record_id = :recordId and failing_since is not null and :isOfOrigin::boolean
       returning old.failing_since
     ), news as (
       select delta_events.*, ${schemaChangeData} as schema_data,
         (select ${recoveredData('delta_events.check_id', 'failing_since')} from recovered) as recovered_data
       from delta_events where id = :deltaEventId
     ), owed as (
       select webhooks.id, 'delta' as event_type, delta_events.id as delta_event_id, null::json as data
       from webhooks join delta_events on delta_events.id = :deltaEventId
       join record_heads on record_heads.record_id = webhooks.record_id
       where webhooks.record_id = :recordId and enabled and 'delta' = any(event_types) and ${CONCERNS}
       union all
       select webhooks.id, 'schema.changed', null, schema_data from webhooks, news
       where webhooks.record_id = :recordId and enabled and 'schema.changed' = any(event_types)
         and schema_data is not null
       union all
       select webhooks.id, 'check.recovered', null, recovered_data from webhooks, news
       where webhooks.record_id = :recordId and enabled and 'check.recovered' = any(event_types)
         and recovered_data is not null
     ), inserted as (
       insert into deliveries
         (id, webhook_id, record_id, event_type, delta_event_id, event_data, check_id, next_attempt_at, created_at)
       select ${NEW_DELIVERY_ID}, owed.id, news.record_id, event_type, delta_event_id, data, news.check_id, now(),
         news.detected_at
       from owed, news
       returning id
     )
     select count(*) as count from inserted`,
    { recordId, deltaEventId, isOfOrigin },
  );
  return inserted?.count ?? 0;
}

const schemaChangeData = `case when json_typeof(schema_change) = 'object' then json_build_object(
  'checkId', check_id, 'snapshotId', snapshot_id, 'schemaChange', schema_change) end`;

/** The data in the body of `check.recovered`. */
export const recoveredData = (checkId: string, failingSince: string): string =>
  `json_build_object('checkId', ${checkId}, 'failingSince', ${isoTime(failingSince)})`;

/**
 * Inserts the deliveries of a check without rows, as a part of the statement that commits it. `head` is its updated row of
 * `record_heads`.
 * @param data SQL of the body's data, null where there is nothing to deliver
 */
export const owedForCheck = (eventType: 'check.failed' | 'check.recovered', data: string): string => `
  insert into deliveries (id, webhook_id, record_id, event_type, event_data, check_id, next_attempt_at, created_at)
  select ${NEW_DELIVERY_ID}, webhooks.id, head.record_id, '${eventType}', ${data}, :id, now(), head.last_checked_at
  from head join webhooks on webhooks.record_id = head.record_id
  where webhooks.enabled and '${eventType}' = any(webhooks.event_types) and ${data} is not null
  returning id`;
