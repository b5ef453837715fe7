// Statistics of the recent deliveries of webhooks, for lists of webhooks.
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../core/deliveries.ts';
import type { Database } from '../driver/knex.ts';
import { preparedPage } from '../driver/prepared.ts';

export const ACTIVITY_DAYS = 30;
/** The newest ones of a webhook; a list may have many webhooks, and the dashboard asks every few seconds. */
export const MOST_COUNTED = 500;

export interface DeliveryActivity {
  webhookId: string;
  /** The deliveries that were created since are counted. */
  since: Date;
  delivered: number;
  failed: number;
  pending: number;
  cancelled: number;
  /** The newest delivery, at any age; null before the first. */
  lastId: string | null;
  lastStatus: DeliveryStatus | null;
  lastCreatedAt: Date | null;
  lastFinishedAt: Date | null;
}

const count = (status: DeliveryStatus): string =>
  `count(*) filter (where status = '${status}')::integer as ${status}`;

/** Each status is read by its index: between two digests there may be very many rows that are not listed. */
const newest = (columns: string, limit: number): string => `
  select newest_of.* from unnest(array[${DELIVERY_STATUSES.map((status) => `'${status}'`).join(', ')}]) wanted (status)
  cross join lateral (
    select ${columns} from deliveries where webhook_id = webhooks.id and deliveries.status = wanted.status
    order by id desc limit ${limit}
  ) newest_of order by newest_of.id desc limit ${limit}`;

const ACTIVITY = `
  select webhooks.id as "webhookId", delivered, failed, pending, cancelled,
    case when counted < ${MOST_COUNTED} then now() - interval '${ACTIVITY_DAYS} days' else oldest end as since,
    last.id as "lastId", last.status as "lastStatus", last.created_at as "lastCreatedAt",
    last.finished_at as "lastFinishedAt"
  from unnest($1::text[]) webhooks (id)
  cross join lateral (
    select ${count('delivered')}, ${count('failed')}, ${count('pending')}, ${count('cancelled')},
      count(*) as counted, min(created_at) as oldest
    from (
      ${newest('id, status, created_at', MOST_COUNTED)}
    ) newest
    where created_at > now() - interval '${ACTIVITY_DAYS} days'
  ) counts
  left join lateral (
    ${newest('id, status, created_at, finished_at', 1)}
  ) last on true`;

/** By the webhook's id. */
export async function readDeliveryActivity(
  db: Database,
  webhookIds: readonly string[],
): Promise<Map<string, DeliveryActivity>> {
  const found = await preparedPage<DeliveryActivity>(db, ACTIVITY, [webhookIds]);
  return new Map(found.map((activity) => [activity.webhookId, activity]));
}
