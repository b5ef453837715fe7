// Creates the deliveries of an event, in the transaction that commits the event.
import { versionBeforeSql } from '../rows/delta-rows.ts';
import { asksOrigin, type CheckTrigger } from '../../core/checks.ts';
import type { DeliveredEvent } from '../../core/delivery-payload.ts';
import type { Knex } from '../driver/knex.ts';
import { preparedBuilt } from '../driver/prepared.ts';
import { COLLECTS, FIRST_STATUS, firstAttemptAt, IS_NOTICE } from './collecting.ts';
import { DUE, type DueDelivery } from './deliveries.ts';
import { keepWanted } from './event-conditions.ts';
import { wasTold } from './failed-check-news.ts';
import type { LineLease } from './lines.ts';
import { webhooksOf } from './selected-records.ts';

export const NEW_DELIVERY_ID = `'dlv_' || replace(uuidv7()::text, '-', '')`;

/** A time as in all bodies: UTC, with milliseconds. */
export const isoTime = (time: string): string =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const wants = (changeType: string): string =>
  `(webhooks.change_types is null or '${changeType}' = any(webhooks.change_types))`;

const countOf = (changeType: 'new' | 'changed' | 'deleted'): string =>
  `case when ${wants(changeType)} then delta_events.${changeType}_count else 0 end`;

/** The changed rows of an event, as `opened`, and what they were, as `closed`. */
const CHANGED = `row_versions opened join lateral (${versionBeforeSql('opened')}) closed on true
  where opened.record_no = record_heads.record_no and opened.generation = delta_events.generation
    and opened.first_seq = delta_events.sequence`;

/**
 * The columns in which a changed row differs, as `key`. Compares the texts, so 1.10 and 1.1 differ, and so do a null and a
 * missing value. Reads each row once, whatever the number of columns.
 */
const differing = (isAsked: string): string =>
  `(select key, value from json_each(closed.data) where ${isAsked}) was
  full join (select key, value from json_each(opened.data) where ${isAsked}) became using (key)
  where was.value::text is distinct from became.value::text`;

/** Counts changed rows in which one of the webhook's columns differs, up to the number that is needed. */
const CHANGED_IN_COLUMNS = `(
  select count(*) from (
    select from ${CHANGED} and exists (select from ${differing('key = any(webhooks.columns)')}) limit needed
  ) found)`;

/**
 * Between which numbers the rows are that differ in one of the webhook's columns, by the counts of the columns. The two are
 * nearly always on one side of the number that is needed, so the rows are hardly ever read.
 */
const BOUNDS = `(
  select coalesce(max(rows), 0) as fewest,
    case when delta_events.changed_columns is null then delta_events.changed_count else coalesce(sum(rows), 0) end as most
  from json_to_recordset(delta_events.changed_columns) counted (field text, rows bigint)
  where field = any(webhooks.columns))`;

/**
 * Whether a delta event concerns a webhook: enough of its changes pass the webhook's filters. New and deleted rows always
 * pass a filter of columns, because all of their columns came or went. Refers to `webhooks`, `delta_events` and
 * `record_heads`. Does not test whether the webhook is enabled and asks for `delta`.
 * @param changedInColumns SQL of how many changed rows differ in one of the webhook's columns; `needed` or more are enough
 */
const concerns = (changedInColumns: string): string => `(
  not delta_events.is_no_change and (
    select case when needed <= 0 then true
      when not ${wants('changed')} or delta_events.changed_count < needed then false
      when webhooks.columns is null then true
      else (
        select case when fewest >= needed then true when most < needed then false else ${changedInColumns} >= needed end
        from ${BOUNDS} bounds) end
    from (select coalesce(webhooks.min_changes, 1) - ${countOf('new')} - ${countOf('deleted')} as needed) asked))`;

/** For any event: reads its stored rows where it must. */
export const CONCERNS = concerns(CHANGED_IN_COLUMNS);

/** The same for one event and many webhooks, which together read its rows once. Refers to CHANGED_SETS as `changed_sets`. */
const CONCERNS_EACH = concerns(
  `(select coalesce(sum(rows), 0) from changed_sets where fields && webhooks.columns)`,
);

/** The sets of columns in which changed rows differ, and how many rows have each. Only columns of `asking` webhooks count. */
const CHANGED_SETS = `
  select fields, count(*) as rows from (
    select array(
      select key from ${differing('key in (select unnest(columns) from asking)')} order by key) as fields
    from delta_events join record_heads on record_heads.record_id = delta_events.record_id, ${CHANGED}
      and delta_events.id = :deltaEventId
  ) changed_rows group by fields`;

/**
 * What a new delivery of a delta event says of its webhook's condition, before keepWanted has decided it in the same transaction.
 * Most conditions that are asked about an event are met, so their deliveries are written once. Refers to `webhooks`.
 */
const NOT_YET_DECIDED = `case when webhooks.condition is not null then 'met' end`;

/** @param rows SQL of the settings of rows, as RowSettings or null */
const bodySettings = (rows: string, recordId: string): string => `(
  select json_build_object('format', webhooks.format, 'rows', ${rows}, 'recordName', subject.name, 'recordSlug', subject.slug)
  from records subject where subject.id = ${recordId})`;

/** How much is read of the rows for a message that shows the first few. */
const NOTICE_BYTES = 65_536;

const ROW_SETTINGS = `case when webhooks.include = 'rows' or ${IS_NOTICE} then json_build_object(
  'maxBodyBytes', case when ${IS_NOTICE} then ${NOTICE_BYTES} else webhooks.max_body_bytes end,
  'fields', webhooks.fields, 'changeTypes', webhooks.change_types, 'columns', webhooks.columns, 'changedColumns', true) end`;

/**
 * What the bodies of a webhook's deltas depend on, as BodySettings; null if they have neither rows nor a format. Refers to
 * `webhooks`. Far smaller than most bodies, so the bodies themselves are not stored.
 * @param recordId SQL of the record that the delivery is about
 */
export const deltaSettings = (recordId: string): string => `case
  when webhooks.include = 'rows' or webhooks.format <> 'json' then ${bodySettings(ROW_SETTINGS, recordId)} end`;

/** The same for bodies of other events, which have no rows. */
export const newsSettings = (recordId: string): string =>
  `case when webhooks.format <> 'json' then ${bodySettings('null', recordId)} end`;

/** Deliveries that are claimed by the process that committed them, and their event. */
export interface ClaimedDeliveries {
  deliveries: readonly DueDelivery[];
  /** For deliveries to ordered webhooks: the leases of the lines in which they are first, by delivery id. */
  leases: ReadonlyMap<string, LineLease>;
  event: DeliveredEvent;
}

/**
 * Inserts one delivery for each enabled webhook that asks for an outcome of a successful check: changed rows,
 * changed columns, or the recovery after failed checks. The webhooks are those of the record, and those of its account that
 * select it, as this statement sees them. Conditions are asked after that, so that a check without any costs nothing for them.
 * @param trigger of the check. One that reads a stored body under other settings does not tell whether the origin has recovered,
 *   and an accepted one does only if no check has failed since its body was held
 * @param claimMs for how long the process that commits claims their first attempts
 * @returns the pending ones; the others wait for a digest
 */
export async function insertDeliveries(
  trx: Knex.Transaction,
  recordId: string,
  deltaEventId: string,
  { trigger, claimMs }: { trigger: CheckTrigger; claimMs: number },
): Promise<DueDelivery[]> {
  const statement = trx.raw(
    `with recovered as (
       update record_heads set failing_since = null
       where record_id = :recordId and failing_since is not null
         and (:isOfOrigin::boolean or :isAccepted::boolean and consecutive_failures = 0)
       returning old.failing_since
     ), news as (
       select delta_events.*, ${schemaChangeData} as schema_data,
         (select check_number from record_heads where record_heads.record_id = delta_events.record_id) as check_number,
         (select ${recoveredData('delta_events.check_id', 'failing_since')} from recovered) as recovered_data
       from delta_events where id = :deltaEventId
     ), asking as materialized (
       select webhooks.*, ${COLLECTS} as collects from ${webhooksOf(':recordId')} webhooks where enabled
     ), changed_sets as materialized (${CHANGED_SETS}
     ), owed as (
       select webhooks.id, ordered, collects, 'delta' as event_type, delta_events.id as delta_event_id, null::json as data,
         ${deltaSettings(':recordId')} as body_settings, ${NOT_YET_DECIDED} as condition_outcome
       from asking webhooks join delta_events on delta_events.id = :deltaEventId
       join record_heads on record_heads.record_id = delta_events.record_id
       where 'delta' = any(event_types) and ${CONCERNS_EACH}
       union all
       select webhooks.id, ordered, collects, 'schema.changed', null, schema_data, ${newsSettings(':recordId')}, null
       from asking webhooks, news where 'schema.changed' = any(event_types) and schema_data is not null
       union all
       select webhooks.id, ordered, collects, 'check.recovered', null, recovered_data, ${newsSettings(':recordId')}, null
       from asking webhooks, news where 'check.recovered' = any(event_types) and recovered_data is not null
         and ${wasTold(':recordId', '(select failing_since from recovered)')}
     ), deliveries as (
       insert into deliveries
         (id, webhook_id, record_id, event_type, delta_event_id, event_data, body_settings, check_id, status, next_attempt_at,
          created_at, line_position, condition_outcome)
       select ${NEW_DELIVERY_ID}, owed.id, news.record_id, event_type, delta_event_id, data, body_settings, news.check_id,
         ${FIRST_STATUS}, ${firstAttemptAt(`clock_timestamp() + :claimMs::double precision * interval '1 millisecond'`)},
         news.detected_at,
         case when ordered then check_number end, condition_outcome
       from owed, news
       returning *
     )
     ${DUE} order by deliveries.id`,
    { recordId, deltaEventId, isOfOrigin: asksOrigin(trigger), isAccepted: trigger === 'accepted', claimMs },
  );
  const wanted = await keepWanted(trx, await preparedBuilt<DueDelivery>(trx, statement));
  return wanted.filter(({ status }) => status === 'pending');
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
export const owedForCheck = (
  eventType: 'check.failed' | 'check.recovered' | 'check.held',
  data: string,
): string => `
  insert into deliveries (id, webhook_id, record_id, event_type, event_data, check_id, status, next_attempt_at, created_at,
    line_position, body_settings)
  select ${NEW_DELIVERY_ID}, webhooks.id, head.record_id, '${eventType}', ${data}, :id, ${FIRST_STATUS},
    ${firstAttemptAt('now()')}, head.last_checked_at,
    case when webhooks.ordered then head.check_number end, ${newsSettings('head.record_id')}
  from head cross join lateral ${webhooksOf('head.record_id')} webhooks
  cross join lateral (select ${COLLECTS} as collects) waits
  where webhooks.enabled and '${eventType}' = any(webhooks.event_types) and ${data} is not null
  returning id, status`;
