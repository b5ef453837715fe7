// POST /v1/sources/:id/webhooks
import { Type } from 'typebox';
import { generateWebhookSecret } from '../../../core/crypto/webhook-signature.ts';
import { ApiError } from '../../../core/errors.ts';
import { insertWebhook } from '../../../db/webhooks/webhooks.ts';
import { recordParams, urlField } from '../../input/fields.ts';
import { getRecord } from '../../access/get-record.ts';
import { newId } from '../../contract/new-id.ts';
import { defineOperation } from '../../contract/operation.ts';
import { createdWebhookSchema, presentWebhook } from '../../resources/webhook.ts';
import { sealWebhookSecret } from '../../webhooks/seal-webhook-secret.ts';
import { readWebhook, secretField, webhookBody } from '../../webhooks/webhook-body.ts';

const MAX_WEBHOOKS = 20;

export const createWebhook = defineOperation({
  name: 'createWebhook',
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: true },
  errors: ['url_not_allowed', 'conflict'],
  secrets: ['secret'],
  summary: 'Have a record’s changes pushed to an endpoint',
  description:
    'Its signing secret (`secret`) is shown in this answer only. A record has at most 20 webhooks.',
  http: { method: 'POST', path: '/v1/sources/:id/webhooks', status: 201 },
  params: recordParams,
  body: { url: urlField, secret: Type.Optional(secretField), ...webhookBody },
  output: createdWebhookSchema,
  async run(ctx, { id: _reference, secret: givenSecret, ...given }) {
    const secret = givenSecret ?? generateWebhookSecret();
    const record = getRecord(ctx);
    const settings = { url: given.url, ...readWebhook(ctx, given, secret) };
    const id = newId('webhook', ctx.clock());
    const sealedSecret = await sealWebhookSecret(ctx, record.accountId, id, secret);
    const webhook = await insertWebhook(
      ctx.db,
      { ...settings, id, recordId: record.id, sealedSecret },
      MAX_WEBHOOKS,
    );
    if (webhook === undefined) {
      throw new ApiError('conflict', `A record has at most ${MAX_WEBHOOKS} webhooks: delete one first.`);
    }
    return { ...presentWebhook(webhook), secret };
  },
});
