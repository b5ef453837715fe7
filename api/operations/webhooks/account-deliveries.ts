// Deliveries of a webhook of the account: list and read them, send them again, recover missed ones.
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../contract/operation.ts';
import { accountDeliveryParams, accountWebhookParams } from '../../input/fields.ts';
import { envelope } from '../../input/page.ts';
import { edgeField, readSinceTimeOfAll } from '../../input/since.ts';
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
  accountOnly: true,
  lock: { feature: 'Webhooks', creates: false },
} as const;

export const listAccountDeliveries = defineOperation({
  ...ofDelivery,
  name: 'listAccountDeliveries',
  errors: ['gone'],
  summary: 'List the deliveries of a webhook of the account',
  description: 'Those of all records, as for a record’s webhook. `sourceId` is the record of each.',
  http: { method: 'GET', path: '/v1/webhooks/:webhookId/deliveries' },
  params: accountWebhookParams,
  query: deliveryListQuery,
  output: Type.Object({ ...envelope, deliveries: Type.Array(deliverySchema) }),
  async run(ctx, { webhookId, ...query }) {
    await requireWebhook(ctx, { accountId: ctx.principal.accountId }, webhookId);
    return readDeliveries(ctx, webhookId, query, await readSinceTimeOfAll(ctx, query.since));
  },
});

export const getAccountDelivery = defineOperation({
  ...ofDelivery,
  name: 'getAccountDelivery',
  summary: 'Read one delivery of a webhook of the account',
  description: 'With what is sent, and what the endpoint answered.',
  http: { method: 'GET', path: '/v1/webhooks/:webhookId/deliveries/:deliveryId' },
  params: accountDeliveryParams,
  output: deliverySchema,
  async run(ctx, { webhookId, deliveryId }) {
    await requireWebhook(ctx, { accountId: ctx.principal.accountId }, webhookId);
    return readDelivery(ctx, webhookId, deliveryId);
  },
});

export const redeliverOfAccount = defineOperation({
  ...ofDelivery,
  name: 'redeliverOfAccount',
  audit: { action: 'delivery.redeliver', isMerged: true },
  errors: ['conflict'],
  summary: 'Send a delivery of a webhook of the account again',
  description: 'As for a record’s webhook.',
  http: {
    method: 'POST',
    path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
    ...DELIVERY_STATUS,
  },
  params: accountDeliveryParams,
  mayWait: true,
  output: deliverySchema,
  async run(ctx, { webhookId, deliveryId }) {
    const webhook = await requireWebhook(ctx, { accountId: ctx.principal.accountId }, webhookId);
    return sendAgain(ctx, webhook, deliveryId);
  },
});

export const recoverAccountWebhook = defineOperation({
  ...ofDelivery,
  name: 'recoverAccountWebhook',
  audit: { action: 'webhook.recover' },
  errors: ['conflict', 'gone', 'query_too_expensive'],
  summary: 'Send what a webhook of the account has missed',
  description:
    'As for a record’s webhook. Of events without a delivery, it takes those of the records for which the webhook is now.',
  http: {
    method: 'POST',
    path: '/v1/webhooks/:webhookId/recover',
    status: ({ dryRun }: Static<typeof recoverySchema>) => (dryRun ? 200 : 202),
    statuses: [200, 202],
  },
  params: accountWebhookParams,
  body: {
    since: edgeField('Only events after this ISO 8601 time or event id.'),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only count. false by default.' })),
  },
  output: recoverySchema,
  async run(ctx, { webhookId, since, dryRun = false }) {
    const webhook = await requireWebhook(ctx, { accountId: ctx.principal.accountId }, webhookId);
    return recoverFor(ctx, webhook, dryRun, () => readSinceTimeOfAll(ctx, since));
  },
});
