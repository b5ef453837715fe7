// A webhook as answers show it: its secret stands in the answer to its creation only.
import { type Static, Type } from 'typebox';
import type { PublicWebhook } from '../../db/webhooks.ts';
import { nullable, time } from './shapes.ts';

const fields = {
  id: Type.String(),
  sourceId: Type.String(),
  url: Type.String(),
  enabled: Type.Boolean(),
  disabledReason: nullable(Type.String()),
  eventTypes: Type.Array(Type.String()),
  createdAt: time,
};

export const webhookSchema = Type.Object(fields, { title: 'Webhook' });

export const createdWebhookSchema = Type.Object(
  {
    ...fields,
    secret: Type.String({ description: 'Shown here and never again.' }),
  },
  { title: 'CreatedWebhook' },
);

export function presentWebhook(webhook: PublicWebhook): Static<typeof webhookSchema> {
  const { id, recordId, url, enabled, disabledReason, eventTypes, createdAt } = webhook;
  return {
    id,
    sourceId: recordId,
    url,
    enabled,
    disabledReason,
    eventTypes,
    createdAt: createdAt.toISOString(),
  };
}
