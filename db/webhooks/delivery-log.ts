// Reads a webhook's deliveries and their attempts, for the API and for operators.
import { DELIVERY_STATUSES, type DeliveryEventType, type DeliveryStatus } from '../../core/deliveries.ts';
import type { AttemptErrorCode } from '../../core/errors.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import type { PageRequest, SortOrder } from '../page.ts';
import { IS_LISTED } from './collecting.ts';
import { firstInLine } from './lines.ts';

export interface DeliveryRow {
  id: string;
  webhookId: string;
  recordId: string;
  eventType: DeliveryEventType;
  /** Null when the delivery is not about a delta event. */
  deltaEventId: string | null;
  isTest: boolean;
  status: DeliveryStatus;
  /** The number of all attempts, including those that are not shown. */
  attemptCount: number;
  createdAt: Date;
  /** Null unless pending. */
  nextAttemptAt: Date | null;
  finishedAt: Date | null;
  /** Null where the webhook has no condition. */
  conditionOutcome: 'met' | 'undecided' | null;
  /** The delivery that has to end before this one is sent; null when it waits for none. */
  waitsFor: string | null;
}

export interface AttemptRow {
  deliveryId: string;
  number: number;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  errorCode: AttemptErrorCode | null;
}

/** An attempt with the beginning of the endpoint's answer; null when there was none. */
export type FullAttemptRow = AttemptRow & { responseExcerpt: string | null };

export interface DeliveryFilter {
  status: DeliveryStatus | null;
  /** Only deliveries about something that happened after this time. */
  since: Date | null;
}

/** The most attempts to show of one delivery, which may be sent again any number of times. */
const ATTEMPTS_IN_LIST = 10;
const ATTEMPTS_IN_FULL = 50;

const FIRST = firstInLine({ webhook: 'deliveries.webhook_id', record: 'deliveries.record_id' });

/** Reads the line only of a delivery that waits in one. */
const WAITS_FOR = `case when deliveries.status = 'pending' and deliveries.line_position is not null then (
  select nullif(first.id, deliveries.id) from webhooks cross join lateral (${FIRST}) first
  where webhooks.id = deliveries.webhook_id) end`;

const COLUMNS = `deliveries.id, deliveries.webhook_id as "webhookId", deliveries.record_id as "recordId",
  deliveries.event_type as "eventType", deliveries.delta_event_id as "deltaEventId",
  ${isTestSql()} as "isTest", deliveries.status, deliveries.attempt_count as "attemptCount",
  deliveries.created_at as "createdAt", deliveries.next_attempt_at as "nextAttemptAt",
  deliveries.finished_at as "finishedAt", deliveries.condition_outcome as "conditionOutcome", ${WAITS_FOR} as "waitsFor"`;

/** Whether a delivery is a test of the endpoint. */
export function isTestSql(): string {
  return `coalesce((deliveries.event_data ->> 'isTest')::boolean, false)`;
}

/** How long before the creation of a delivery its event may have been detected. Ids are in the order of creation. */
const SLACK_MS = 3_600_000;

/**
 * The condition that a delivery's subject happened after `:since`. Needs the delta event (left join). The condition on the
 * id limits the range of the index that is read.
 */
export const HAPPENED_SINCE = `deliveries.id >= :sinceId
  and date_trunc('milliseconds', coalesce(delta_events.detected_at, deliveries.created_at)) > :since`;

export function sinceBindings(since: Date): { since: Date; sinceId: string } {
  const timeMs = Math.max(0, since.getTime() - SLACK_MS);
  return { since, sinceId: `dlv_${timeMs.toString(16).padStart(12, '0')}` };
}

/**
 * Deliveries of a webhook in the order of their creation: one more than the limit. Each status is read by its index: between two
 * digests there may be very many rows that are not listed.
 */
export function listDeliveries(
  db: Database,
  webhookId: string,
  { status, since }: DeliveryFilter,
  order: SortOrder,
  page: PageRequest<string>,
): Promise<DeliveryRow[]> {
  const conditions = [
    'deliveries.webhook_id = :webhookId',
    'deliveries.status = wanted.status',
    ...(since === null ? [] : [HAPPENED_SINCE]),
    ...(page.after === null ? [] : [`deliveries.id ${order === 'desc' ? '<' : '>'} :after`]),
  ];
  return rawRows<DeliveryRow>(
    db,
    `select listed.* from unnest(:statuses::text[]) wanted (status) cross join lateral (
       select ${COLUMNS} from deliveries
       ${since === null ? '' : 'left join delta_events on delta_events.id = deliveries.delta_event_id'}
       where ${conditions.join(' and ')} order by deliveries.id ${order} limit :limit
     ) listed order by listed.id ${order} limit :limit`,
    {
      webhookId,
      statuses: status === null ? [...DELIVERY_STATUSES] : [status],
      after: page.after,
      limit: page.limit + 1,
      ...(since === null ? {} : sinceBindings(since)),
    },
  );
}

/** The last ten attempts of each of these deliveries, in order. */
export function listLastAttempts(db: Database, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
  return rawRows<AttemptRow>(
    db,
    `select last.* from unnest(?::text[]) as wanted (id) cross join lateral (
       select delivery_id as "deliveryId", number, started_at as "startedAt", duration_ms as "durationMs",
         status_code as "statusCode", error_code as "errorCode"
       from attempts where delivery_id = wanted.id order by number desc limit ${ATTEMPTS_IN_LIST}
     ) last order by "deliveryId", number`,
    [[...deliveryIds]],
  );
}

/** @param webhookId undefined for operators, who know only the delivery's id */
export async function findDeliveryLog(
  db: Database,
  id: string,
  webhookId?: string,
): Promise<(DeliveryRow & { attempts: FullAttemptRow[] }) | undefined> {
  const [delivery] = await rawRows<DeliveryRow>(
    db,
    `select ${COLUMNS} from deliveries
     where id = :id and ${IS_LISTED} and (:webhookId::text is null or webhook_id = :webhookId)`,
    { id, webhookId: webhookId ?? null },
  );
  return delivery && { ...delivery, attempts: await listFullAttempts(db, delivery) };
}

function listFullAttempts(
  db: Database,
  { id, attemptCount }: Pick<DeliveryRow, 'id' | 'attemptCount'>,
): Promise<FullAttemptRow[]> {
  return rawRows<FullAttemptRow>(
    db,
    `select delivery_id as "deliveryId", number, started_at as "startedAt", duration_ms as "durationMs",
       status_code as "statusCode", error_code as "errorCode", response_excerpt as "responseExcerpt"
     from attempts where delivery_id = ? and number > ? order by number`,
    [id, attemptCount - ATTEMPTS_IN_FULL],
  );
}
