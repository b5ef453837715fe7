// Sends an example of an event to a URL on this machine, signed with the secret of `listen`. It needs no service.
import { randomUUID } from 'node:crypto';
import { checkEventPayload } from '../../../core/delivery-payload.ts';
import type { WebhookEventType } from '../../../core/deliveries.ts';
import { exampleEvent } from '../../../core/example-event.ts';
import { makeId, type IdKind } from '../../../core/ids.ts';
import { createPaint } from '../../diff/paint.ts';
import { EXIT } from '../../operator/fail.ts';
import { readCredentials } from '../access/credentials.ts';
import { answer, type AnswerOptions } from '../output/answers.ts';
import { createForwarder } from './forward.ts';
import { keepIdentity } from './identity.ts';
import { isSuccess, sentWords } from './listen.ts';
import { readTarget } from './target.ts';

interface TriggerOptions extends AnswerOptions {
  forwardTo: string;
  allowRemote?: true;
}

const EXAMPLE_URL = 'https://recordwatch.example';

export async function trigger(type: WebhookEventType, options: TriggerOptions): Promise<void> {
  const target = readTarget(options.forwardTo, options.allowRemote === true);
  const { webhookId, secret } = keepIdentity();
  const baseUrl = readCredentials()?.url ?? EXAMPLE_URL;
  const nowMs = Date.now();
  const newId = (kind: IdKind): string => makeId(kind, nowMs, randomUUID());
  const recordId = newId('record');
  const record = { webhookId, recordId, recordName: 'Example', recordSlug: 'example' };
  const data = exampleEvent(type, { recordId, include: 'keys', baseUrl, nowMs, newId });
  const body = checkEventPayload(record, {
    eventType: type,
    happenedAt: new Date(nowMs),
    eventData: JSON.stringify(data),
  });
  const forwarder = createForwarder(target, { secret, baseUrl });
  const delivery = { id: newId('delivery'), body };
  const sent = await forwarder.send(delivery);
  await forwarder.close();
  await answer(
    options,
    { deliveryId: delivery.id, type, ...sent },
    () => `${type} ${delivery.id} → ${sentWords(sent, createPaint('auto'))}`,
  );
  if (!isSuccess(sent.status)) process.exitCode = EXIT.failed;
}
