// Attempts a delivery that was just written, and waits for the result if the caller wants to.
import type { Static } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import { findDeliveryLog } from '../../db/webhooks/delivery-log.ts';
import type { Context } from '../contract/context.ts';
import { notFound } from '../contract/errors.ts';
import { type deliverySchema, presentDelivery } from '../resources/delivery.ts';
import { tellDeliveries } from '../temporal/workflows.ts';
import { waitUntil } from '../temporal/wait-until.ts';

/** 202 while the attempt is not finished. */
export const DELIVERY_STATUS = {
  status: ({ status }: Static<typeof deliverySchema>) => (status === 'pending' ? 202 : 200),
  statuses: [200, 202],
} as const;

/** @param attemptsBefore the number of attempts made before */
export async function sendDelivery(
  ctx: Context,
  deliveryId: string,
  attemptsBefore: number,
): Promise<Static<typeof deliverySchema>> {
  await tellDeliveries(ctx, { deliveryId });
  const delivery = (await waitUntil(ctx, async () => {
    const found = await findDeliveryLog(ctx.db, deliveryId);
    // It was deleted meanwhile, so there is nothing to wait for.
    const isDone = found === undefined || found.attemptCount > attemptsBefore || found.status !== 'pending';
    return isDone ? { found } : undefined;
  })) ?? { found: await findDeliveryLog(ctx.db, deliveryId) };
  if (delivery.found === undefined) throw notFound();
  return presentDelivery(delivery.found, delivery.found.attempts);
}

export function webhookDisabled(): ApiError {
  return new ApiError('conflict', 'The webhook is disabled: enable it first.');
}
