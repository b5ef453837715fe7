// Webhooks of the account, for several records: list, read, create, change, delete, rotate the secret.
import { Type } from 'typebox';
import { listWebhooks, type PublicWebhook } from '../../../db/webhooks/webhooks.ts';
import type { Context } from '../../contract/context.ts';
import { invalidField } from '../../contract/errors.ts';
import { defineOperation } from '../../contract/operation.ts';
import { accountWebhookParams, orderedPageQuery, endpointField } from '../../input/fields.ts';
import { envelope, readPage, USUAL_LIMITS } from '../../input/page.ts';
import {
  accountWebhookSchema,
  createdAccountWebhookSchema,
  presentAccountWebhook,
} from '../../resources/webhook.ts';
import {
  changeFor,
  createFor,
  removeFor,
  requirePlan,
  requireWebhook,
  rotateFor,
} from '../../webhooks/manage-webhooks.ts';
import { readSources, sourcesBody } from '../../webhooks/selected-sources.ts';
import { activityQuery, withActivity } from '../../webhooks/with-activity.ts';
import { secretField, webhookBody } from '../../webhooks/webhook-settings.ts';

const ofWebhook = {
  tag: 'Webhooks',
  scope: 'full',
  accountOnly: true,
  lock: { feature: 'Webhooks', creates: false },
} as const;

const ownerOf = ({ principal: { accountId } }: Context) => ({ accountId });

const accountWebhookBody = { ...webhookBody, ...sourcesBody };

export const listAccountWebhooks = defineOperation({
  ...ofWebhook,
  name: 'listAccountWebhooks',
  summary: 'List the webhooks of the account',
  description: 'Without the webhooks of single records.',
  http: { method: 'GET', path: '/v1/webhooks' },
  query: { ...orderedPageQuery, ...activityQuery },
  output: Type.Object({ ...envelope, webhooks: Type.Array(accountWebhookSchema) }),
  async run(ctx, { order = 'desc', activity, ...query }) {
    const { items, ...page } = await readPage<PublicWebhook, [string]>(
      ctx,
      { listing: 'accountWebhooks', filters: { ...ownerOf(ctx), order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) => listWebhooks(ctx.db, ownerOf(ctx), order, { after: after?.[0] ?? null, limit }),
      (webhook) => [webhook.id],
    );
    const webhooks = items.map(presentAccountWebhook);
    return { ...page, webhooks: await withActivity(ctx, webhooks, activity) };
  },
});

export const getAccountWebhook = defineOperation({
  ...ofWebhook,
  name: 'getAccountWebhook',
  summary: 'Read one webhook of the account',
  http: { method: 'GET', path: '/v1/webhooks/:webhookId' },
  params: accountWebhookParams,
  query: activityQuery,
  output: accountWebhookSchema,
  async run(ctx, { webhookId, activity }) {
    const webhook = presentAccountWebhook(await requireWebhook(ctx, ownerOf(ctx), webhookId));
    const [shown = webhook] = await withActivity(ctx, [webhook], activity);
    return shown;
  },
});

export const createAccountWebhook = defineOperation({
  ...ofWebhook,
  name: 'createAccountWebhook',
  audit: { action: 'webhook.create' },
  lock: { feature: 'Webhooks', creates: 'except mails' },
  errors: ['url_not_allowed', 'conflict', 'recent_sign_in_required'],
  secrets: ['secret'],
  summary: 'Send the changes of several records to one endpoint',
  description:
    'For all records, for those with given labels, or for a list. Settings, bodies and signatures are those of a record’s ' +
    'webhook. Its signing secret (`secret`) is shown in this response only. An account has at most 20 such webhooks, ' +
    'and three before one of its records is on a paid tier.',
  http: { method: 'POST', path: '/v1/webhooks', status: 201 },
  body: { url: endpointField, secret: Type.Optional(secretField), ...accountWebhookBody },
  output: createdAccountWebhookSchema,
  async run(ctx, { sources, ...given }) {
    requirePlan(ctx, given);
    if (sources?.ids?.length === 0)
      throw invalidField('/sources/ids', 'too_short', 'must have at least one record');
    const selected = await readSources(ctx, sources ?? null);
    const made = await createFor(ctx, ownerOf(ctx), given, selected);
    return { ...presentAccountWebhook(made.webhook), secret: made.secret };
  },
});

export const patchAccountWebhook = defineOperation({
  ...ofWebhook,
  name: 'updateAccountWebhook',
  audit: { action: 'webhook.update' },
  errors: ['url_not_allowed', 'recent_sign_in_required'],
  summary: 'Change a webhook of the account, enable or disable it',
  description:
    'As for a record’s webhook. `sources` replaces the records for which it is: later events count, and waiting ' +
    'deliveries stay.',
  http: { method: 'PATCH', path: '/v1/webhooks/:webhookId' },
  params: accountWebhookParams,
  body: { url: Type.Optional(endpointField), ...accountWebhookBody },
  output: accountWebhookSchema,
  async run(ctx, { webhookId, sources, ...given }) {
    const selected = sources === undefined ? undefined : await readSources(ctx, sources);
    const change = { given, selected, asked: { sources }, present: presentAccountWebhook };
    return presentAccountWebhook(await changeFor(ctx, ownerOf(ctx), webhookId, change));
  },
});

export const removeAccountWebhook = defineOperation({
  ...ofWebhook,
  name: 'deleteAccountWebhook',
  audit: { action: 'webhook.delete' },
  summary: 'Delete a webhook of the account with its deliveries',
  http: { method: 'DELETE', path: '/v1/webhooks/:webhookId', status: 204 },
  params: accountWebhookParams,
  output: Type.Null(),
  run: (ctx, { webhookId }) => removeFor(ctx, ownerOf(ctx), webhookId),
});

export const rotateAccountWebhookSecret = defineOperation({
  ...ofWebhook,
  name: 'rotateAccountWebhookSecret',
  audit: { action: 'webhook.rotate_secret' },
  secrets: ['secret'],
  summary: 'Rotate the signing secret of a webhook of the account',
  description: 'As for a record’s webhook.',
  http: { method: 'POST', path: '/v1/webhooks/:webhookId/rotate-secret' },
  params: accountWebhookParams,
  body: { secret: Type.Optional(secretField) },
  output: createdAccountWebhookSchema,
  async run(ctx, { webhookId, secret: given }) {
    const { webhook, secret } = await rotateFor(ctx, ownerOf(ctx), webhookId, given);
    return { ...presentAccountWebhook(webhook), secret };
  },
});
