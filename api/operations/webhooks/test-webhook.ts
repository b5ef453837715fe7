// Sends a test delivery: an example of an event of the requested type, with ids of nothing that exists.
import { type Static, Type } from 'typebox';
import { exampleEvent } from '../../../core/example-event.ts';
import type { IdKind } from '../../../core/ids.ts';
import {
  type BodyContent,
  isNoticeFormat,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../../../core/deliveries.ts';
import { ApiError } from '../../../core/errors.ts';
import type { Audit } from '../../contract/audit.ts';
import type { Context } from '../../contract/context.ts';
import { newId } from '../../contract/new-id.ts';
import { insertTestDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { findNewestSelected } from '../../../db/webhooks/selected-records.ts';
import type { PublicWebhook } from '../../../db/webhooks/webhooks.ts';
import { takeRequestedMail } from '../../access/usage-limits.ts';
import { requireWebhook } from '../../webhooks/manage-webhooks.ts';
import { accountWebhookParams, webhookParams } from '../../input/fields.ts';
import { getRecord } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { deliverySchema } from '../../resources/delivery.ts';
import { DELIVERY_STATUS, readLog, sendDelivery, webhookDisabled } from '../../webhooks/send-delivery.ts';

/** Members of the body of a test delivery. */
export function exampleEventData(
  eventType: WebhookEventType,
  { recordId, include }: { recordId: string; include: BodyContent },
  { clock, config }: Pick<Context, 'clock' | 'config'>,
): { isTest: true } & Record<string, unknown> {
  const nowMs = clock();
  const newIdNow = (kind: IdKind): string => newId(kind, nowMs);
  return exampleEvent(eventType, { recordId, include, baseUrl: config.baseUrl, nowMs, newId: newIdNow });
}

const shared = {
  audit: { action: 'webhook.test', isMerged: true },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict'],
  body: {
    eventType: Type.Optional(Type.Enum([...WEBHOOK_EVENT_TYPES], { description: '`delta` by default.' })),
  },
  mayWait: true,
  output: deliverySchema,
} as const;

const EXPLAINED =
  'One signed delivery, with one attempt and a body of the given event type with `isTest: true`, regardless of the ' +
  'webhook’s own event types and filters. Its ids do not exist. With `Prefer: wait=N` the response has the result.';

export const testWebhook = defineOperation({
  ...shared,
  name: 'testWebhook',
  summary: 'Send a webhook an example',
  description: EXPLAINED,
  http: { method: 'POST', path: '/v1/sources/:id/webhooks/:webhookId/test', ...DELIVERY_STATUS },
  params: webhookParams,
  async run(ctx, { webhookId, eventType = 'delta' }) {
    const { id: recordId } = getRecord(ctx);
    return sendExample(ctx, await requireWebhook(ctx, { recordId }, webhookId), recordId, eventType);
  },
});

export const testAccountWebhook = defineOperation({
  ...shared,
  accountOnly: true,
  name: 'testAccountWebhook',
  summary: 'Send a webhook of the account an example',
  description: `${EXPLAINED} The body names the newest record that the webhook is for; without one the response is 409.`,
  http: { method: 'POST', path: '/v1/webhooks/:webhookId/test', ...DELIVERY_STATUS },
  params: accountWebhookParams,
  async run(ctx, { webhookId, eventType = 'delta' }) {
    const { accountId } = ctx.principal;
    const webhook = await requireWebhook(ctx, { accountId }, webhookId);
    const recordId = await findNewestSelected(ctx.db, webhookId);
    if (recordId === undefined) {
      throw new ApiError(
        'conflict',
        'This webhook selects no record, so there is no example to send. Change its sources first.',
      );
    }
    return sendExample(ctx, webhook, recordId, eventType);
  },
});

async function sendExample(
  ctx: Context & { audit: Audit },
  { id: webhookId, include, format }: PublicWebhook,
  recordId: string,
  eventType: WebhookEventType,
): Promise<Static<typeof deliverySchema>> {
  if (format === 'mail') await takeRequestedMail(ctx.db, ctx.principal.accountId);
  // A message always shows rows.
  const wanted = isNoticeFormat(format) ? 'rows' : include;
  const eventData = exampleEventData(eventType, { recordId, include: wanted }, ctx);
  const delivery = await ctx.db.transaction(async (trx) => {
    const id = await insertTestDelivery(trx, { webhookId, recordId }, eventType, eventData);
    if (id === undefined) throw webhookDisabled();
    await ctx.audit(trx, { target: { id: webhookId } });
    return readLog(trx, id);
  });
  return sendDelivery(ctx, delivery, 0);
}
