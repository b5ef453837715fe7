// POST /v1/sources/:id/webhooks/:webhookId/rotate-secret
import { Type } from 'typebox';
import { generateWebhookSecret } from '../../../core/crypto/webhook-signature.ts';
import { rotateSecret } from '../../../db/webhooks/webhooks.ts';
import { notFound } from '../../contract/errors.ts';
import { webhookParams } from '../../input/fields.ts';
import { getRecord } from '../../access/get-record.ts';
import { defineOperation } from '../../contract/operation.ts';
import { createdWebhookSchema, presentWebhook } from '../../resources/webhook.ts';
import { sealWebhookSecret } from '../../webhooks/seal-webhook-secret.ts';
import { readWebhook, secretField } from '../../webhooks/webhook-body.ts';

const OVERLAP_HOURS = 24;

export const rotateWebhookSecret = defineOperation({
  name: 'rotateWebhookSecret',
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  secrets: ['secret'],
  summary: 'Give a webhook another signing secret',
  description:
    `The new secret is shown in this answer only. For ${OVERLAP_HOURS} hours deliveries carry two signatures, one of ` +
    'the new secret and one of the secret before, so that receivers can change over. Rotating again within that time ' +
    'ends the older one: who must be rid of a secret at once rotates twice.',
  http: { method: 'POST', path: '/v1/sources/:id/webhooks/:webhookId/rotate-secret' },
  params: webhookParams,
  body: { secret: Type.Optional(secretField) },
  output: createdWebhookSchema,
  async run(ctx, { webhookId, secret: givenSecret }) {
    const secret = givenSecret ?? generateWebhookSecret();
    const { id: recordId, accountId } = getRecord(ctx);
    readWebhook(ctx, {}, secret);
    const sealedSecret = await sealWebhookSecret(ctx, accountId, webhookId, secret);
    const webhook = await rotateSecret(ctx.db, recordId, webhookId, {
      sealedSecret,
      overlapHours: OVERLAP_HOURS,
    });
    if (webhook === undefined) throw notFound();
    return { ...presentWebhook(webhook), secret };
  },
});
