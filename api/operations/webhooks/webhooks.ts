// Webhooks of a record: list, read, change, delete.
import { Type } from 'typebox';
import {
  deleteWebhook,
  listWebhooks,
  type PublicWebhook,
  updateWebhook,
} from '../../../db/webhooks/webhooks.ts';
import { notFound } from '../../contract/errors.ts';
import { orderedPageQuery, recordParams, urlField, webhookParams } from '../../input/fields.ts';
import { getRecord } from '../../access/get-record.ts';
import { getWebhook } from '../../access/get-webhook.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { presentWebhook, webhookSchema } from '../../resources/webhook.ts';
import { readWebhook, webhookBody } from '../../webhooks/webhook-body.ts';

const ofWebhook = {
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
} as const;

export const listRecordWebhooks = defineOperation({
  ...ofWebhook,
  name: 'listWebhooks',
  summary: 'List a record’s webhooks',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks' },
  params: recordParams,
  query: orderedPageQuery,
  output: Type.Object({ ...recordEnvelope, webhooks: Type.Array(webhookSchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const { id: recordId } = getRecord(ctx);
    const { items, ...page } = await readPage<PublicWebhook, [string]>(
      ctx,
      { listing: 'webhooks', filters: { recordId, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) => listWebhooks(ctx.db, recordId, order, { after: after?.[0] ?? null, limit }),
      (webhook) => [webhook.id],
    );
    return { sourceId: recordId, ...page, webhooks: items.map(presentWebhook) };
  },
});

export const getOneWebhook = defineOperation({
  ...ofWebhook,
  name: 'getWebhook',
  summary: 'Read one webhook',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks/:webhookId' },
  params: webhookParams,
  output: webhookSchema,
  run: async (ctx, { webhookId }) => presentWebhook(await getWebhook(ctx, webhookId)),
});

export const patchWebhook = defineOperation({
  ...ofWebhook,
  name: 'updateWebhook',
  errors: ['url_not_allowed'],
  summary: 'Change a webhook, enable or disable it',
  description:
    'Disabling ends the deliveries that wait for another attempt (`cancelled`); one that is being sent may still ' +
    'arrive. While a webhook is disabled no deliveries are made for it; enabling sends none of what was missed, which ' +
    'can be recovered. Enabling it, or giving another URL, forgets why it was disabled and since when it failed.',
  http: { method: 'PATCH', path: '/v1/sources/:id/webhooks/:webhookId' },
  params: webhookParams,
  body: { url: Type.Optional(urlField), ...webhookBody },
  output: webhookSchema,
  async run(ctx, { id: _reference, webhookId, ...given }) {
    const record = getRecord(ctx);
    const changes = readWebhook(ctx, given);
    // A change that asks for nothing is one.
    if (Object.keys(changes).length === 0) return presentWebhook(await getWebhook(ctx, webhookId));
    const webhook = await updateWebhook(ctx.db, record.id, webhookId, changes);
    if (webhook === undefined) throw notFound();
    return presentWebhook(webhook);
  },
});

export const removeWebhook = defineOperation({
  ...ofWebhook,
  name: 'deleteWebhook',
  summary: 'Delete a webhook with its deliveries',
  http: { method: 'DELETE', path: '/v1/sources/:id/webhooks/:webhookId', status: 204 },
  params: webhookParams,
  output: Type.Null(),
  async run(ctx, { webhookId }) {
    const record = getRecord(ctx);
    if (!(await deleteWebhook(ctx.db, record.id, webhookId))) throw notFound();
    return null;
  },
});
