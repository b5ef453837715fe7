// Deliveries of a record's webhook: list and read them, send them again, recover missed ones.
import { type Static, Type } from 'typebox';
import { getRecord } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { deliveryParams, webhookParams } from '../../input/fields.ts';
import { recordEnvelope } from '../../input/page.ts';
import { edgeField, readSinceTime } from '../../input/since.ts';
import { deliverySchema } from '../../resources/delivery.ts';
import { requireWebhook } from '../../webhooks/manage-webhooks.ts';
import { DELIVERY_STATUS } from '../../webhooks/send-delivery.ts';
import {
  deliveryListQuery,
  readDeliveries,
  readDelivery,
  recoverFor,
  recoverySchema,
  sendAgain,
} from '../../webhooks/webhook-deliveries.ts';

const ofDelivery = {
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
} as const;

export const listWebhookDeliveries = defineOperation({
  ...ofDelivery,
  name: 'listDeliveries',
  errors: ['gone'],
  summary: 'List a webhook’s deliveries, sent and pending',
  description:
    'A delivery is listed as long as its event is stored. The response for one delivery has what is sent, and what ' +
    'the endpoint answered.',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks/:webhookId/deliveries' },
  params: webhookParams,
  query: deliveryListQuery,
  output: Type.Object({ ...recordEnvelope, deliveries: Type.Array(deliverySchema) }),
  async run(ctx, { webhookId, id: _reference, ...query }) {
    const record = getRecord(ctx);
    await requireWebhook(ctx, { recordId: record.id }, webhookId);
    const since = await readSinceTime(ctx, record, query.since);
    return { sourceId: record.id, ...(await readDeliveries(ctx, webhookId, query, since)) };
  },
});

export const getOneDelivery = defineOperation({
  ...ofDelivery,
  name: 'getDelivery',
  summary: 'Read one delivery, with what is sent and what the endpoint answered',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks/:webhookId/deliveries/:deliveryId' },
  params: deliveryParams,
  output: deliverySchema,
  async run(ctx, { webhookId, deliveryId }) {
    await requireWebhook(ctx, { recordId: getRecord(ctx).id }, webhookId);
    return readDelivery(ctx, webhookId, deliveryId);
  },
});

export const redeliver = defineOperation({
  name: 'redeliver',
  audit: { action: 'delivery.redeliver', isMerged: true },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict'],
  summary: 'Send a delivery again',
  description:
    'Sends a delivery with any status again, with ten more attempts. It keeps its id, so receivers that remember ids ' +
    'ignore it. A pending delivery is attempted now. With `Prefer: wait=N` the response has the result of the ' +
    'attempt.',
  http: {
    method: 'POST',
    path: '/v1/sources/:id/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
    ...DELIVERY_STATUS,
  },
  params: deliveryParams,
  mayWait: true,
  output: deliverySchema,
  async run(ctx, { webhookId, deliveryId }) {
    const webhook = await requireWebhook(ctx, { recordId: getRecord(ctx).id }, webhookId);
    return sendAgain(ctx, webhook, deliveryId);
  },
});

export const recoverWebhook = defineOperation({
  name: 'recoverWebhook',
  audit: { action: 'webhook.recover' },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict', 'gone', 'query_too_expensive'],
  summary: 'Send what a webhook has missed',
  description:
    'Since a time or an event: deliveries that failed, deliveries that were cancelled because the webhook was ' +
    'disabled, and events that had no delivery because it was disabled. Oldest first, each with ten attempts. ' +
    'Deliveries keep their ids. Of events without a delivery, only delta events can be recovered: those after the ' +
    'webhook’s creation that match its filters.',
  http: {
    method: 'POST',
    path: '/v1/sources/:id/webhooks/:webhookId/recover',
    status: ({ dryRun }: Static<typeof recoverySchema>) => (dryRun ? 200 : 202),
    statuses: [200, 202],
  },
  params: webhookParams,
  body: {
    since: edgeField('Only events after this ISO 8601 time or event id.'),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only count. false by default.' })),
  },
  output: recoverySchema,
  async run(ctx, { webhookId, since, dryRun = false }) {
    const record = getRecord(ctx);
    const webhook = await requireWebhook(ctx, { recordId: record.id }, webhookId);
    return recoverFor(ctx, webhook, dryRun, () => readSinceTime(ctx, record, since));
  },
});
