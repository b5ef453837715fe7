// Webhooks of a record: list, read, create, change, delete, rotate the secret.
import { Type } from 'typebox';
import { listWebhooks, type PublicWebhook } from '../../../db/webhooks/webhooks.ts';
import { getRecord } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { orderedPageQuery, recordParams, endpointField, webhookParams } from '../../input/fields.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { createdWebhookSchema, presentWebhook, webhookSchema } from '../../resources/webhook.ts';
import {
  changeFor,
  createFor,
  OVERLAP_HOURS,
  removeFor,
  requirePlan,
  requireWebhook,
  rotateFor,
} from '../../webhooks/manage-webhooks.ts';
import { activityQuery, withActivity } from '../../webhooks/with-activity.ts';
import { secretField, webhookBody } from '../../webhooks/webhook-settings.ts';

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
  query: { ...orderedPageQuery, ...activityQuery },
  output: Type.Object({ ...recordEnvelope, webhooks: Type.Array(webhookSchema) }),
  async run(ctx, { order = 'desc', activity, ...query }) {
    const { id: recordId } = getRecord(ctx);
    const { items, ...page } = await readPage<PublicWebhook, [string]>(
      ctx,
      { listing: 'webhooks', filters: { recordId, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) => listWebhooks(ctx.db, { recordId }, order, { after: after?.[0] ?? null, limit }),
      (webhook) => [webhook.id],
    );
    const webhooks = items.map((each) => presentWebhook(each, recordId));
    return { sourceId: recordId, ...page, webhooks: await withActivity(ctx, webhooks, activity) };
  },
});

export const getOneWebhook = defineOperation({
  ...ofWebhook,
  name: 'getWebhook',
  summary: 'Read one webhook',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks/:webhookId' },
  params: webhookParams,
  query: activityQuery,
  output: webhookSchema,
  async run(ctx, { webhookId, activity }) {
    const { id: recordId } = getRecord(ctx);
    const webhook = presentWebhook(await requireWebhook(ctx, { recordId }, webhookId), recordId);
    const [shown = webhook] = await withActivity(ctx, [webhook], activity);
    return shown;
  },
});

export const patchWebhook = defineOperation({
  ...ofWebhook,
  name: 'updateWebhook',
  audit: { action: 'webhook.update' },
  errors: ['url_not_allowed', 'recent_sign_in_required'],
  summary: 'Change a webhook, enable or disable it',
  description:
    'Disabling cancels the deliveries that wait for another attempt (`cancelled`); one that is being sent may still ' +
    'arrive. A disabled webhook gets no deliveries. Enabling it does not send the missed ones, but you can recover ' +
    'them. Enabling it, or setting another URL, clears the reason for which it was disabled and the time since when ' +
    'it failed.',
  http: { method: 'PATCH', path: '/v1/sources/:id/webhooks/:webhookId' },
  params: webhookParams,
  body: { url: Type.Optional(endpointField), ...webhookBody },
  output: webhookSchema,
  async run(ctx, { id: _reference, webhookId, ...given }) {
    const { id: recordId } = getRecord(ctx);
    const present = (webhook: PublicWebhook) => presentWebhook(webhook, recordId);
    return present(await changeFor(ctx, { recordId }, webhookId, { given, present }));
  },
});

export const removeWebhook = defineOperation({
  ...ofWebhook,
  name: 'deleteWebhook',
  audit: { action: 'webhook.delete' },
  summary: 'Delete a webhook with its deliveries',
  http: { method: 'DELETE', path: '/v1/sources/:id/webhooks/:webhookId', status: 204 },
  params: webhookParams,
  output: Type.Null(),
  run: (ctx, { webhookId }) => removeFor(ctx, { recordId: getRecord(ctx).id }, webhookId),
});

export const createWebhook = defineOperation({
  name: 'createWebhook',
  audit: { action: 'webhook.create' },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: 'except mails' },
  errors: ['url_not_allowed', 'conflict', 'recent_sign_in_required'],
  secrets: ['secret'],
  summary: 'Send a record’s changes to an endpoint',
  description:
    'Its signing secret (`secret`) is shown in this response only. A record has at most 20 webhooks, and three before a ' +
    'record of the account is on a paid tier.',
  http: { method: 'POST', path: '/v1/sources/:id/webhooks', status: 201 },
  params: recordParams,
  body: { url: endpointField, secret: Type.Optional(secretField), ...webhookBody },
  output: createdWebhookSchema,
  async run(ctx, { id: _reference, ...given }) {
    requirePlan(ctx, given);
    const { id: recordId } = getRecord(ctx);
    const made = await createFor(ctx, { recordId }, given);
    return { ...presentWebhook(made.webhook, recordId), secret: made.secret };
  },
});

export const rotateWebhookSecret = defineOperation({
  name: 'rotateWebhookSecret',
  audit: { action: 'webhook.rotate_secret' },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  secrets: ['secret'],
  summary: 'Rotate a webhook’s signing secret',
  description: `The new secret is shown in this response only. For ${OVERLAP_HOURS} hours deliveries carry two signatures, one with the new secret and one with the previous one, so that receivers can switch. Rotating again within that time ends the older one: to end a secret at once, rotate twice.`,
  http: { method: 'POST', path: '/v1/sources/:id/webhooks/:webhookId/rotate-secret' },
  params: webhookParams,
  body: { secret: Type.Optional(secretField) },
  output: createdWebhookSchema,
  async run(ctx, { webhookId, secret: given }) {
    const { id: recordId } = getRecord(ctx);
    const { webhook, secret } = await rotateFor(ctx, { recordId }, webhookId, given);
    return { ...presentWebhook(webhook, recordId), secret };
  },
});
