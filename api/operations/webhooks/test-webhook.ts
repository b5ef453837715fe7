// POST /v1/sources/:id/webhooks/:webhookId/test
import { Type } from 'typebox';
import { WEBHOOK_EVENT_TYPES } from '../../../core/deliveries.ts';
import { insertTestDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { exampleEventData } from '../../webhooks/example-event-data.ts';
import { webhookParams } from '../../input/fields.ts';
import { getWebhook } from '../../access/get-webhook.ts';
import { defineOperation } from '../../contract/operation.ts';
import { deliverySchema } from '../../resources/delivery.ts';
import { DELIVERY_STATUS, sendDelivery, webhookDisabled } from '../../webhooks/send-delivery.ts';

export const testWebhook = defineOperation({
  name: 'testWebhook',
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict'],
  summary: 'Send a webhook an example',
  description:
    'One signed delivery, in one attempt, with a body as that type of event has it and `isTest: true` in it; whatever ' +
    'the webhook’s own event types and filters are. The ids in it name nothing. With `Prefer: wait=N` the answer tells ' +
    'what came of it.',
  http: { method: 'POST', path: '/v1/sources/:id/webhooks/:webhookId/test', ...DELIVERY_STATUS },
  params: webhookParams,
  body: {
    eventType: Type.Optional(Type.Enum([...WEBHOOK_EVENT_TYPES], { description: '`delta` unless given.' })),
  },
  mayWait: true,
  output: deliverySchema,
  async run(ctx, { webhookId, eventType = 'delta' }) {
    const { recordId } = await getWebhook(ctx, webhookId);
    const eventData = exampleEventData(eventType, recordId, ctx);
    const deliveryId = await insertTestDelivery(ctx.db, webhookId, eventType, eventData);
    if (deliveryId === undefined) throw webhookDisabled();
    return sendDelivery(ctx, deliveryId, 0);
  },
});
