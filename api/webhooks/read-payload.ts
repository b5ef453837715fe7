// The body of a delivery, from the same words and by the same function as an attempt has it.
import { deliveryPayload } from '../../core/delivery-payload.ts';
import { findDelivery, readDeliveredEvents } from '../../db/webhooks/deliveries.ts';
import type { Context } from '../contract/context.ts';

/** @returns undefined when the delivery is deleted, or just being deleted with its event */
export async function readPayload(
  { db, config }: Pick<Context, 'db' | 'config'>,
  deliveryId: string,
): Promise<string | undefined> {
  const delivery = await findDelivery(db, deliveryId);
  if (delivery === undefined) return undefined;
  const events = await readDeliveredEvents(db, [delivery]);
  return deliveryPayload(delivery, events.get(delivery.deltaEventId ?? ''), config.baseUrl);
}
