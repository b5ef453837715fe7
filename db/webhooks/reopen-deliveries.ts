// Sends again: one delivery, everything that a webhook missed, or a test. These functions only make deliveries pending;
// their callers then signal the workflows.
import type { WebhookEventType } from '../../core/deliveries.ts';
import { HAPPENED_SINCE, isTestSql, sinceBindings } from './delivery-log.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import {
  ASKED_EVENT,
  type AskedEvent,
  decideEvent,
  type RowBudget,
  storedCondition,
} from './event-conditions.ts';
import { IS_LISTED, IS_NOTICE, isNoticeSql } from './collecting.ts';
import { POSITION } from './lines.ts';
import { CONCERNS, deltaSettings, NEW_DELIVERY_ID, newsSettings } from './new-deliveries.ts';
import { RECORDS_OF_WEBHOOK } from './selected-records.ts';

/** The schedule counts attempts from `attempts_before`. With this many, the next attempt is the last. */
const PAST_THE_SCHEDULE = 1_000;

/**
 * Makes a delivery due again, under the same id and with a new schedule. A pending one becomes due and keeps its schedule.
 * @returns false when its webhook is disabled, or there is no such delivery
 */
export async function reopenDelivery(db: Database, id: string): Promise<boolean> {
  const rows = await rawRows(
    db,
    `update deliveries set status = 'pending', next_attempt_at = now(), finished_at = null, in_backlog = false,
       line_position = ${LINE_POSITION},
       attempts_before = case when deliveries.status = 'pending' then attempts_before
         when ${isTestSql()} then attempt_count - ${PAST_THE_SCHEDULE} else attempt_count end
     from webhooks
     where deliveries.id = ? and webhooks.id = deliveries.webhook_id and webhooks.enabled and ${IS_LISTED}
     returning deliveries.id`,
    [id],
  );
  return rows.length > 0;
}

export interface Recovery {
  /** The number of deliveries that are sent again, or would be. */
  count: number;
  /** Whether there are more deliveries than one recovery takes. */
  hasMore: boolean;
}

interface RecoveryRequest {
  /** Recovers what happened after this time. */
  since: Date;
  isDryRun: boolean;
  limit: number;
}

/**
 * Adds to a webhook's backlog the failed and cancelled deliveries, and a new delivery for each event with changes that has
 * none, oldest first. The events are those of its record, or of the records that it selects now. Locks the webhook, so that two
 * recoveries do not take the same deliveries.
 * @returns undefined when the webhook is disabled or does not exist
 */
export function recoverDeliveries(
  db: Database,
  webhookId: string,
  { since, isDryRun, limit }: RecoveryRequest,
): Promise<Recovery | undefined> {
  return db.transaction(async (trx) => {
    const bindings = { webhookId, limit, ...sinceBindings(since) };
    const [enabled] = await rawRows<Asking>(trx, isDryRun ? FIND : LOCK, { webhookId });
    if (enabled === undefined) return undefined;
    const missed = enabled.isOfAccount ? MISSED_OF_ACCOUNT : MISSED_OF_RECORD;
    const decided = await decideMissed(trx, enabled.condition, missed, bindings);
    const [recovery] = await rawRows<Recovery>(trx, isDryRun ? count(missed) : reopen(missed), {
      ...bindings,
      ...decided,
    });
    if (recovery === undefined) throw new Error('A count gave no row');
    return recovery;
  });
}

interface Asking {
  isOfAccount: boolean;
  condition: object | null;
}

interface MissedBindings extends Knex.ValueDict {
  webhookId: string;
  since: Date;
}

/** How many missed events a recovery looks at for those that meet a condition, and how many of their rows. */
const LOOKED_AT = { events: 20_000, rows: 200_000, bytes: 256 * 1024 * 1024 } as const;

interface Decided extends Knex.ValueDict {
  looked: string[];
  met: string[];
  unmet: string[];
  /** Events from this time on are sent without a look. */
  beyond: Date | 'infinity' | '-infinity';
}

const NOT_ASKED: Decided = { looked: [], met: [], unmet: [], beyond: '-infinity' };

/**
 * Asks a condition about the oldest missed events. Later ones than it looks at are neither met nor unmet, and are sent: a
 * recovery would rather send too much than miss something. An event that a check commits meanwhile is not: its own check decides
 * its delivery.
 * @param missed SQL of the events
 */
async function decideMissed(
  trx: Knex.Transaction,
  stored: object | null,
  missed: string,
  bindings: MissedBindings,
): Promise<Decided> {
  const condition = stored === null ? undefined : storedCondition(stored);
  if (condition === undefined) return NOT_ASKED;
  const events = await rawRows<AskedEvent & { at: Date }>(
    trx,
    `select ${ASKED_EVENT}, at from ${missed} missed (nothing, event_id, record_id, at)
     join delta_events on delta_events.id = event_id
     join record_heads on record_heads.record_id = missed.record_id
     order by at`,
    { ...bindings, ...NOT_ASKED, limit: LOOKED_AT.events },
  );
  const last = events.at(LOOKED_AT.events);
  const decided: Decided = {
    looked: events.map(({ id }) => id),
    met: [],
    unmet: [],
    beyond: last?.at ?? 'infinity',
  };
  const budget: RowBudget = { rows: LOOKED_AT.rows, bytes: LOOKED_AT.bytes };
  for (const event of events) {
    const [outcome] = await decideEvent(trx, event, [condition], budget);
    if (outcome === 'met' || outcome === 'unmet') decided[outcome].push(event.id);
  }
  return decided;
}

const FIND = `select account_id is not null as "isOfAccount", condition from webhooks where id = :webhookId and enabled`;
const LOCK = `${FIND} for no key update`;

/**
 * An event that a webhook should have, and has not. Its delivery is looked up by its key: without statistics about the webhook,
 * the planner may turn a join into a read of all deliveries for each event.
 */
const IS_MISSED = `not delta_events.is_no_change
  and delta_events.detected_at > :since and delta_events.detected_at > webhooks.created_at
  and (select deliveries.id from deliveries
    where deliveries.webhook_id = :webhookId and deliveries.delta_event_id = delta_events.id) is null
  and (delta_events.id = any(:looked::text[]) or delta_events.detected_at >= :beyond::timestamptz)
  and delta_events.id <> all(:unmet::text[]) and ${CONCERNS}`;

const MISSED_OF_RECORD = `
  (select null, delta_events.id, delta_events.record_id, delta_events.detected_at
  from webhooks join record_heads on record_heads.record_id = webhooks.record_id
  join delta_events on delta_events.record_id = webhooks.record_id
  where webhooks.id = :webhookId and 'delta' = any(webhooks.event_types) and ${IS_MISSED}
  order by delta_events.detected_at limit :limit + 1)`;

const MISSED_OF_ACCOUNT = `
  (select null, missed.id, missed.record_id, missed.detected_at
  from webhooks cross join lateral ${RECORDS_OF_WEBHOOK} records
  join record_heads on record_heads.record_id = records.id
  cross join lateral (
    select delta_events.* from delta_events where delta_events.record_id = records.id and ${IS_MISSED}
    order by delta_events.detected_at limit :limit + 1
  ) missed
  where webhooks.id = :webhookId and 'delta' = any(webhooks.event_types)
  order by missed.detected_at limit :limit + 1)`;

/** Each half is sorted by time, so that no more rows are read than one recovery takes. */
const owed = (missed: string): string => `
  owed as materialized (
    select *, row_number() over (order by "happenedAt", coalesce("deliveryId", "eventId")) as rank from (
      (select deliveries.id as "deliveryId", null as "eventId", null as "recordId",
        coalesce(delta_events.detected_at, deliveries.created_at) as "happenedAt"
      from deliveries left join delta_events on delta_events.id = deliveries.delta_event_id
      where deliveries.webhook_id = :webhookId and deliveries.status in ('failed', 'cancelled')
        and ${HAPPENED_SINCE} and not ${isTestSql()}
      order by "happenedAt", deliveries.id limit :limit + 1)
      union all
      ${missed}
    ) both_kinds order by rank limit :limit + 1
  )`;

const TOTALS = `least(count(*), :limit) as count, count(*) > :limit as "hasMore"`;

const count = (missed: string): string => `with ${owed(missed)} select ${TOTALS} from owed`;

/** Its position in the line of an ordered webhook. A test has none. */
const LINE_POSITION = `case when webhooks.ordered then coalesce(line_position, ${POSITION}) end`;

/** Times a microsecond apart keep the order, because a backlog begins with what is due first. */
const DUE = `now() + (rank - :limit) * interval '1 microsecond'`;

/** Many events for a person at once are one message: they wait for the next digest, or as long as a burst, from now on. */
const BECOMES_MESSAGE = `(${IS_NOTICE} and not webhooks.ordered)`;
/** Bodies keep the form that they were made for, so one for a program is sent alone. */
const JOINS = `(${BECOMES_MESSAGE} and deliveries.event_type <> 'digest'
  and coalesce(${isNoticeSql(`deliveries.body_settings ->> 'format'`)}, false))`;

/**
 * Locks deliveries in the order of their ids, as where attempts are recorded, because an attempt may end meanwhile. Each
 * step joins only by the primary key, because the planner does not know how many rows there are.
 */
const reopen = (missed: string): string => `
  with ${owed(missed)}, locked as materialized (
    select deliveries.id, rank from owed join deliveries on deliveries.id = "deliveryId"
    where rank <= :limit
    order by deliveries.id for no key update of deliveries
  ), reopened as (
    update deliveries set status = case when ${JOINS} then 'collecting' else 'pending' end,
      next_attempt_at = case when not ${JOINS} then ${DUE} end, finished_at = null, in_backlog = not ${JOINS},
      attempts_before = attempt_count, line_position = ${LINE_POSITION}, waits_since = case when ${JOINS} then now() end
    from locked join webhooks on webhooks.id = :webhookId
    where deliveries.id = locked.id and deliveries.status in ('failed', 'cancelled')
  ), made as (
    insert into deliveries (id, webhook_id, record_id, delta_event_id, status, next_attempt_at, in_backlog,
      created_at, waits_since, body_settings, condition_outcome, line_position)
    select ${NEW_DELIVERY_ID}, :webhookId, "recordId", "eventId",
      case when ${BECOMES_MESSAGE} then 'collecting' else 'pending' end,
      case when not ${BECOMES_MESSAGE} then ${DUE} end, not ${BECOMES_MESSAGE},
      case when ${BECOMES_MESSAGE} then "happenedAt" else now() end, case when ${BECOMES_MESSAGE} then now() end,
      ${deltaSettings('"recordId"')},
      case when webhooks.condition is null then null when "eventId" = any(:met::text[]) then 'met' else 'undecided' end,
      case when webhooks.ordered then (select checks.number from checks join delta_events on delta_events.check_id = checks.id
        where delta_events.id = "eventId") end
    from owed join webhooks on webhooks.id = :webhookId where "eventId" is not null and rank <= :limit
    on conflict do nothing
  )
  select ${TOTALS} from owed`;

/**
 * Inserts a test delivery, which has one attempt.
 * @param recordId the record that its body names
 * @param eventData the data of its body, marked by `isTest`
 * @returns its id; undefined when the webhook is disabled or does not exist
 */
export async function insertTestDelivery(
  db: Database,
  { webhookId, recordId }: { webhookId: string; recordId: string },
  eventType: WebhookEventType,
  eventData: { isTest: true },
): Promise<string | undefined> {
  const [row] = await rawRows<{ id: string }>(
    db,
    `insert into deliveries (id, webhook_id, record_id, event_type, event_data, next_attempt_at, attempts_before,
       body_settings)
     select ${NEW_DELIVERY_ID}, id, :recordId, :eventType, :eventData, now(), -${PAST_THE_SCHEDULE},
       ${newsSettings(':recordId')}
     from webhooks where id = :webhookId and enabled
     returning id`,
    { webhookId, recordId, eventType, eventData: JSON.stringify(eventData) },
  );
  return row?.id;
}
