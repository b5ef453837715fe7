// Presents the statistics of a webhook's recent deliveries.
import { type Static, Type } from 'typebox';
import { DELIVERY_STATUSES } from '../../core/deliveries.ts';
import type { DeliveryActivity } from '../../db/webhooks/delivery-activity.ts';
import { ACTIVITY_DAYS, MOST_COUNTED } from '../../db/webhooks/delivery-activity.ts';
import { nullable, time } from './shapes.ts';

const lastDelivery = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum([...DELIVERY_STATUSES]),
    createdAt: time,
    finishedAt: nullable(time),
  },
  { title: 'LastDelivery' },
);

export const webhookActivitySchema = Type.Object(
  {
    since: Type.String({
      ...time,
      description: `Deliveries created since are counted: those of the last ${ACTIVITY_DAYS} days, and of these the newest ${MOST_COUNTED}.`,
    }),
    delivered: Type.Integer(),
    failed: Type.Integer({ description: 'Failed in every attempt.' }),
    pending: Type.Integer(),
    cancelled: Type.Integer(),
    lastDelivery: nullable(lastDelivery),
  },
  { title: 'WebhookActivity' },
);

export function presentActivity(activity: DeliveryActivity): Static<typeof webhookActivitySchema> {
  const { since, delivered, failed, pending, cancelled } = activity;
  return {
    since: since.toISOString(),
    delivered,
    failed,
    pending,
    cancelled,
    lastDelivery: presentLast(activity),
  };
}

function presentLast(activity: DeliveryActivity): Static<typeof lastDelivery> | null {
  const { lastId, lastStatus, lastCreatedAt, lastFinishedAt } = activity;
  if (lastId === null || lastStatus === null || lastCreatedAt === null) return null;
  return {
    id: lastId,
    status: lastStatus,
    createdAt: lastCreatedAt.toISOString(),
    finishedAt: lastFinishedAt?.toISOString() ?? null,
  };
}
