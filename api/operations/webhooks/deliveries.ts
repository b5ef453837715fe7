// Deliveries of a webhook: what was sent, and what came of it.
import { Type } from 'typebox';
import { DELIVERY_STATUSES } from '../../../core/deliveries.ts';
import {
  type DeliveryRow,
  findDeliveryLog,
  listDeliveries,
  listLastAttempts,
} from '../../../db/webhooks/delivery-log.ts';
import { notFound } from '../../contract/errors.ts';
import { deliveryParams, orderedPageQuery, webhookParams } from '../../input/fields.ts';
import { getRecord } from '../../access/get-record.ts';
import { getWebhook } from '../../access/get-webhook.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { readPayload } from '../../webhooks/read-payload.ts';
import { deliverySchema, presentDelivery } from '../../resources/delivery.ts';
import { edgeField, readSinceTime } from '../../input/since.ts';

const ofDelivery = {
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
} as const;

export const listWebhookDeliveries = defineOperation({
  ...ofDelivery,
  name: 'listDeliveries',
  errors: ['gone'],
  summary: 'List what was sent to a webhook, or is to be',
  description:
    'A delivery is listed as long as its event is kept. What is sent, and what the endpoint answered, stand in the answer about one delivery.',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks/:webhookId/deliveries' },
  params: webhookParams,
  query: {
    ...orderedPageQuery,
    status: Type.Optional(
      Type.Enum([...DELIVERY_STATUSES], { description: 'Only deliveries of this status.' }),
    ),
    since: Type.Optional(edgeField('Only deliveries of what happened after this ISO 8601 time or event id.')),
  },
  output: Type.Object({ ...recordEnvelope, deliveries: Type.Array(deliverySchema) }),
  async run(ctx, { webhookId, order = 'desc', status = null, since, ...query }) {
    const record = getRecord(ctx);
    await getWebhook(ctx, webhookId);
    const filter = { status, since: await readSinceTime(ctx, record, since) };
    const filters = { webhookId, order, status, since: since ?? null };
    const { items, ...page } = await readPage<DeliveryRow, [string]>(
      ctx,
      { listing: 'deliveries', filters, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        listDeliveries(ctx.db, webhookId, filter, order, { after: after?.[0] ?? null, limit }),
      (delivery) => [delivery.id],
    );
    const attempts = await listLastAttempts(
      ctx.db,
      items.map(({ id }) => id),
    );
    const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
    const deliveries = items.map((each) => presentDelivery(each, byDelivery.get(each.id) ?? []));
    return { sourceId: record.id, ...page, deliveries };
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
    await getWebhook(ctx, webhookId);
    const delivery = await findDeliveryLog(ctx.db, deliveryId, webhookId);
    if (delivery === undefined) throw notFound();
    const payload = await readPayload(ctx, deliveryId);
    // Deleted between the two.
    if (payload === undefined) throw notFound();
    return { ...presentDelivery(delivery, delivery.attempts), payload };
  },
});
