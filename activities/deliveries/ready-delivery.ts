// From deliveries as they are read to what is sent: bodies and signing secrets. One read of events for all of them; each
// account's data key and each webhook's secrets are opened once, and forgotten with the batch.
import { type DataKey, openField, unwrapDataKey } from '../../core/crypto/envelope.ts';
import { type DeliveredEvent, deltaPayload, newsPayload } from '../../core/delivery-payload.ts';
import { webhookSecretContext } from '../../core/seal-contexts.ts';
import { type DueDelivery, readDeliveredEvents } from '../../db/deliveries.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ReadyDelivery } from './make-attempt.ts';

/** What turns a delivery into what is sent. @throws Error when its secret cannot be opened */
export type Prepare = (delivery: DueDelivery) => ReadyDelivery;

export async function preparing(deps: ActivityDeps, due: readonly DueDelivery[]): Promise<Prepare> {
  const events = await readDeliveredEvents(deps.db, due);
  const dataKeys = new Map<string, DataKey>();
  const secrets = new Map<string, readonly string[]>();
  const secretsOf = (delivery: DueDelivery): readonly string[] => {
    const known = secrets.get(delivery.webhookId);
    if (known !== undefined) return known;
    const { accountId, wrappedDataKey } = delivery;
    const dataKey =
      dataKeys.get(accountId) ?? unwrapDataKey(deps.config.keyEncryptionKeys, accountId, wrappedDataKey);
    dataKeys.set(accountId, dataKey);
    const opened = openSecrets(dataKey, delivery);
    secrets.set(delivery.webhookId, opened);
    return opened;
  };
  return (delivery) => ({
    delivery,
    body: bodyOf(delivery, events, deps.config.baseUrl),
    secrets: secretsOf(delivery),
  });
}

/** The present one first, and the one before it as long as it signs too. */
function openSecrets(
  dataKey: DataKey,
  { accountId, webhookId, sealedSecret, previousSealedSecret }: DueDelivery,
): string[] {
  const sealed = previousSealedSecret === null ? [sealedSecret] : [sealedSecret, previousSealedSecret];
  return sealed.map((secret) => openField(dataKey, secret, webhookSecretContext(accountId, webhookId)));
}

function bodyOf(delivery: DueDelivery, events: ReadonlyMap<string, DeliveredEvent>, baseUrl: string): string {
  const { deltaEventId, eventData } = delivery;
  if (eventData !== null) return newsPayload(delivery, { ...delivery, eventData });
  const event = deltaEventId === null ? undefined : events.get(deltaEventId);
  // Its event is deleted with its deliveries: this one is on its way out.
  if (event === undefined) throw new Error('The event of a delivery is gone');
  return deltaPayload(delivery, event, baseUrl);
}
