// Attempts a delivery that was just written, and waits for the result if the caller wants to.
import type { Static } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import { findDeliveryLog } from '../../db/webhooks/delivery-log.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { Context } from '../contract/context.ts';
import { notFound } from '../contract/errors.ts';
import { type deliverySchema, presentDelivery } from '../resources/delivery.ts';
import { readAfterCommit } from '../temporal/after-commit.ts';
import { tellDeliveries } from '../temporal/workflows.ts';
import { waitUntil } from '../temporal/wait-until.ts';

/** 202 while the attempt is not finished. */
export const DELIVERY_STATUS = {
  status: ({ status }: Static<typeof deliverySchema>) => (status === 'pending' ? 202 : 200),
  statuses: [200, 202],
} as const;

type Delivery = Static<typeof deliverySchema>;

/** @throws ApiError not_found */
export async function readLog(db: Database, deliveryId: string): Promise<Delivery> {
  const found = await findDeliveryLog(db, deliveryId);
  if (found === undefined) throw notFound();
  return presentDelivery(found, found.attempts);
}

/**
 * @param committed as it was written
 * @param attemptsBefore the number of attempts made before
 */
export async function sendDelivery(
  ctx: Context,
  committed: Delivery,
  attemptsBefore: number,
): Promise<Delivery> {
  const { id: deliveryId } = committed;
  await tellDeliveries(ctx, { deliveryId });
  return readAfterCommit(ctx.log, committed, async () => {
    let latest = committed;
    await waitUntil(ctx, async () => {
      latest = await readLog(ctx.db, deliveryId);
      return latest.attemptCount > attemptsBefore || latest.status !== 'pending' ? true : undefined;
    });
    return latest;
  });
}

export function webhookDisabled(): ApiError {
  return new ApiError('conflict', 'The webhook is disabled: enable it first.');
}
