// Webhooks of a record: list, enable or disable, delete.
import { Type } from 'typebox';
import { deleteWebhook, listWebhooks, type PublicWebhook, setWebhookEnabled } from '../../db/webhooks.ts';
import { notFound } from '../errors.ts';
import { idInPath, orderedPageQuery, recordParams } from '../fields.ts';
import { getRecord } from '../get-record.ts';
import { defineOperation } from '../operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../page.ts';
import { presentWebhook, webhookSchema } from '../resources/webhook.ts';

const lock = { feature: 'Webhooks', creates: false } as const;

const webhookParams = { ...recordParams, webhookId: idInPath('wh') };

export const listRecordWebhooks = defineOperation({
  name: 'listWebhooks',
  tag: 'Webhooks',
  scope: 'full',
  lock,
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

export const patchWebhook = defineOperation({
  name: 'updateWebhook',
  tag: 'Webhooks',
  scope: 'full',
  lock,
  summary: 'Enable or disable a webhook',
  http: { method: 'PATCH', path: '/v1/sources/:id/webhooks/:webhookId' },
  params: webhookParams,
  body: { enabled: Type.Boolean() },
  output: webhookSchema,
  async run(ctx, { webhookId, enabled }) {
    const record = getRecord(ctx);
    const webhook = await setWebhookEnabled(ctx.db, record.id, webhookId, enabled);
    if (webhook === undefined) throw notFound();
    return presentWebhook(webhook);
  },
});

export const removeWebhook = defineOperation({
  name: 'deleteWebhook',
  tag: 'Webhooks',
  scope: 'full',
  lock,
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
