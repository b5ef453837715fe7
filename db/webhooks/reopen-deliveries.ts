// Sending again: one delivery, all that a webhook missed, or an example. What is written here is pending; whoever asks
// for it then tells the workflows.
import type { WebhookEventType } from '../../core/deliveries.ts';
import { HAPPENED_SINCE, isTestSql, sinceBindings } from './delivery-log.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { CONCERNS, NEW_DELIVERY_ID } from './new-deliveries.ts';

/** The schedule counts attempts from `attempts_before`: so many before it, and there is no attempt after the next one. */
const PAST_THE_SCHEDULE = 1_000;

/**
 * Has a delivery attempted again, under its own id and with a schedule of its own; one that waits anyway is made due.
 * @returns false when its webhook is disabled, or it is not there
 */
export async function reopenDelivery(db: Database, id: string): Promise<boolean> {
  const rows = await rawRows(
    db,
    `update deliveries set status = 'pending', next_attempt_at = now(), finished_at = null, in_backlog = false,
       attempts_before = case when deliveries.status = 'pending' then attempts_before
         when ${isTestSql()} then attempt_count - ${PAST_THE_SCHEDULE} else attempt_count end
     from webhooks
     where deliveries.id = ? and webhooks.id = deliveries.webhook_id and webhooks.enabled
     returning deliveries.id`,
    [id],
  );
  return rows.length > 0;
}

export interface Recovery {
  /** Deliveries to be made, or that would be. */
  count: number;
  /** There are more than one recovery takes. */
  hasMore: boolean;
}

interface RecoveryRequest {
  /** What happened after this time. */
  since: Date;
  isDryRun: boolean;
  limit: number;
}

/**
 * Puts into a webhook's backlog what failed, what was cancelled, and events with changes for which there is no delivery:
 * oldest first. The webhook is locked meanwhile, so that two recoveries do not take the same.
 * @returns undefined when the webhook is disabled, or not there
 */
export function recoverDeliveries(
  db: Database,
  webhookId: string,
  { since, isDryRun, limit }: RecoveryRequest,
): Promise<Recovery | undefined> {
  return db.transaction(async (trx) => {
    const bindings = { webhookId, limit, ...sinceBindings(since) };
    const enabled = await rawRows(trx, isDryRun ? LOOK : LOCK, { webhookId });
    if (enabled.length === 0) return undefined;
    const [recovery] = await rawRows<Recovery>(trx, isDryRun ? COUNT : REOPEN, bindings);
    if (recovery === undefined) throw new Error('A count gave no row');
    return recovery;
  });
}

const LOOK = 'select id from webhooks where id = :webhookId and enabled';
const LOCK = `${LOOK} for no key update`;

/**
 * Each half in the order in which it happened, so that no more is looked at than one recovery takes. An event's delivery is
 * looked up by its key: in a join, a planner that knows nothing of the webhook may read all of them for each event.
 */
const OWED = `
  owed as materialized (
    select *, row_number() over (order by "happenedAt", coalesce("deliveryId", "eventId")) as place from (
      (select deliveries.id as "deliveryId", null as "eventId", null as "recordId",
        coalesce(delta_events.detected_at, deliveries.created_at) as "happenedAt"
      from deliveries left join delta_events on delta_events.id = deliveries.delta_event_id
      where deliveries.webhook_id = :webhookId and deliveries.status in ('failed', 'cancelled')
        and ${HAPPENED_SINCE} and not ${isTestSql()}
      order by "happenedAt", deliveries.id limit :limit + 1)
      union all
      (select null, delta_events.id, delta_events.record_id, delta_events.detected_at
      from webhooks join record_heads on record_heads.record_id = webhooks.record_id
      join delta_events on delta_events.record_id = webhooks.record_id
      where webhooks.id = :webhookId and 'delta' = any(webhooks.event_types) and not delta_events.is_no_change
        and delta_events.detected_at > :since and delta_events.detected_at > webhooks.created_at
        and (select deliveries.id from deliveries
          where deliveries.webhook_id = :webhookId and deliveries.delta_event_id = delta_events.id) is null
        and ${CONCERNS}
      order by delta_events.detected_at limit :limit + 1)
    ) both_kinds order by place limit :limit + 1
  )`;

const TOTALS = `least(count(*), :limit) as count, count(*) > :limit as "hasMore"`;

const COUNT = `with ${OWED} select ${TOTALS} from owed`;

/** Times a microsecond apart keep the order: a backlog begins with what is due first. */
const DUE = `now() + (place - :limit) * interval '1 microsecond'`;

/**
 * Locked in the order of their ids, as where attempts are recorded: one in flight may end meanwhile. Each step joins to
 * the primary key alone, for the planner knows nothing of how many there are.
 */
const REOPEN = `
  with ${OWED}, locked as materialized (
    select deliveries.id, place from owed join deliveries on deliveries.id = "deliveryId"
    where place <= :limit
    order by deliveries.id for no key update of deliveries
  ), reopened as (
    update deliveries set status = 'pending', next_attempt_at = ${DUE}, finished_at = null, in_backlog = true,
      attempts_before = attempt_count
    from locked
    where deliveries.id = locked.id and deliveries.status in ('failed', 'cancelled')
  ), made as (
    insert into deliveries (id, webhook_id, record_id, delta_event_id, next_attempt_at, in_backlog)
    select ${NEW_DELIVERY_ID}, :webhookId, "recordId", "eventId", ${DUE}, true
    from owed where "eventId" is not null and place <= :limit
    on conflict do nothing
  )
  select ${TOTALS} from owed`;

/**
 * A delivery that is about nothing that happened, for one attempt.
 * @param eventData members of its body; `isTest` marks it
 * @returns its id; undefined when the webhook is disabled, or not there
 */
export async function insertTestDelivery(
  db: Database,
  webhookId: string,
  eventType: WebhookEventType,
  eventData: { isTest: true },
): Promise<string | undefined> {
  const [row] = await rawRows<{ id: string }>(
    db,
    `insert into deliveries (id, webhook_id, record_id, event_type, event_data, next_attempt_at, attempts_before)
     select ${NEW_DELIVERY_ID}, id, record_id, ?, ?, now(), -${PAST_THE_SCHEDULE}
     from webhooks where id = ? and enabled
     returning id`,
    [eventType, JSON.stringify(eventData), webhookId],
  );
  return row?.id;
}
