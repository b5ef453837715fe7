// What the owner of a record should know, and would not look for.
import { type Static, Type } from 'typebox';
import type { EndedWebhook } from '../../db/webhooks/webhooks.ts';
import { nullable, time } from './shapes.ts';

export const noticeSchema = Type.Object(
  {
    code: Type.Enum(['webhook_disabled']),
    detail: Type.String(),
    webhookId: Type.String(),
    at: nullable(time),
  },
  {
    title: 'Notice',
    description: 'A webhook was disabled because its endpoint asked for it, or only failed.',
  },
);

export function presentNotice({ id, disabledReason, disabledAt }: EndedWebhook): Static<typeof noticeSchema> {
  return {
    code: 'webhook_disabled',
    detail: disabledReason,
    webhookId: id,
    at: disabledAt?.toISOString() ?? null,
  };
}
