// POST /v1/sources/:id/webhooks/:webhookId/deliveries/:deliveryId/redeliver
import { findDeliveryLog } from '../../../db/webhooks/delivery-log.ts';
import { reopenDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { notFound } from '../../contract/errors.ts';
import { deliveryParams } from '../../input/fields.ts';
import { getWebhook } from '../../access/get-webhook.ts';
import { defineOperation } from '../../contract/operation.ts';
import { deliverySchema } from '../../resources/delivery.ts';
import { DELIVERY_STATUS, sendDelivery, webhookDisabled } from '../../webhooks/send-delivery.ts';

export const redeliver = defineOperation({
  name: 'redeliver',
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict'],
  summary: 'Send a delivery again',
  description:
    'Whatever came of it: under the same id, which receivers that remember ids leave out, and with ten attempts more. ' +
    'One that waits for its next attempt is attempted now. With `Prefer: wait=N` the answer tells what came of the attempt.',
  http: {
    method: 'POST',
    path: '/v1/sources/:id/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
    ...DELIVERY_STATUS,
  },
  params: deliveryParams,
  mayWait: true,
  output: deliverySchema,
  async run(ctx, { webhookId, deliveryId }) {
    await getWebhook(ctx, webhookId);
    const delivery = await findDeliveryLog(ctx.db, deliveryId, webhookId);
    if (delivery === undefined) throw notFound();
    if (!(await reopenDelivery(ctx.db, deliveryId))) throw webhookDisabled();
    return sendDelivery(ctx, deliveryId, delivery.attemptCount);
  },
});
