// From deliveries as they are read to what is sent: bodies and signing secrets. One read of events for all of them.
import { type DeliveredEvent, deliveryPayload } from '../../core/delivery-payload.ts';
import { type DueDelivery, readDeliveredEvents } from '../../db/webhooks/deliveries.ts';
import type { ReadyDelivery } from './make-attempt.ts';
import type { Sender } from './sender.ts';

/** What turns a delivery into what is sent. @throws Error when its event is gone */
export type Prepare = (delivery: DueDelivery) => ReadyDelivery;

export async function preparing(sender: Sender, due: readonly DueDelivery[]): Promise<Prepare> {
  const events = await readDeliveredEvents(sender.db, due);
  return (delivery) => ({
    delivery,
    body: bodyOf(delivery, events, sender.config.baseUrl),
    secrets: secretsOf(sender, delivery),
  });
}

function secretsOf({ openSecrets, log }: Sender, delivery: DueDelivery): readonly string[] | null {
  try {
    return openSecrets(delivery);
  } catch (err) {
    log.error({ err, webhookId: delivery.webhookId }, 'the secret of a webhook cannot be opened');
    return null;
  }
}

function bodyOf(delivery: DueDelivery, events: ReadonlyMap<string, DeliveredEvent>, baseUrl: string): string {
  const body = deliveryPayload(delivery, events.get(delivery.deltaEventId ?? ''), baseUrl);
  // Its event is deleted with its deliveries: this one is on its way out.
  if (body === undefined) throw new Error('The event of a delivery is gone');
  return body;
}
