// Sends a test delivery: an example of an event of the requested type, with ids of nothing that exists.
import { Type } from 'typebox';
import { rowsUrl } from '../../../core/delivery-payload.ts';
import type { IdKind } from '../../../core/ids.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../core/deliveries.ts';
import type { Context } from '../../contract/context.ts';
import { newId } from '../../contract/new-id.ts';
import { insertTestDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { webhookParams } from '../../input/fields.ts';
import { getWebhook } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { deliverySchema } from '../../resources/delivery.ts';
import { DELIVERY_STATUS, sendDelivery, webhookDisabled } from '../../webhooks/send-delivery.ts';

interface Example {
  recordId: string;
  baseUrl: string;
  nowMs: number;
}

/** Members of a body. All but `isTest` are those of core/delivery-payload.ts and db/webhooks/new-deliveries.ts. */
export function exampleEventData(
  eventType: WebhookEventType,
  recordId: string,
  { clock, config }: Pick<Context, 'clock' | 'config'>,
): { isTest: true } & Record<string, unknown> {
  const example = { recordId, baseUrl: config.baseUrl, nowMs: clock() };
  return { isTest: true, ...EXAMPLES[eventType](example) };
}

const idOf = (kind: IdKind, { nowMs }: Example): string => newId(kind, nowMs);
const timeOf = ({ nowMs }: Example): string => new Date(nowMs).toISOString();

const EXAMPLES: Readonly<Record<WebhookEventType, (example: Example) => Record<string, unknown>>> = {
  delta: (example) => {
    const deltaEventId = idOf('deltaEvent', example);
    return {
      deltaEventId,
      snapshotId: idOf('snapshot', example),
      detectedAt: timeOf(example),
      summary: { newCount: 1, changedCount: 2, deletedCount: 1, unchangedCount: 97, totalCount: 100 },
      newKeys: ['example-1'],
      changedKeys: ['example-2', 'example-3'],
      deletedKeys: ['example-4'],
      truncated: { newKeys: false, changedKeys: false, deletedKeys: false },
      rowsUrl: rowsUrl(example.baseUrl, example.recordId, deltaEventId),
    };
  },
  'check.failed': (example) => ({
    checkId: idOf('check', example),
    failingSince: timeOf(example),
    error: { code: 'http_error', detail: 'The origin answered with an error status. It was 503.' },
  }),
  'check.recovered': (example) => ({ checkId: idOf('check', example), failingSince: timeOf(example) }),
  'schema.changed': (example) => ({
    checkId: idOf('check', example),
    snapshotId: idOf('snapshot', example),
    schemaChange: { added: ['example_column'], removed: [], renamed: [], schemaOnlyCount: 97 },
  }),
  'webhook.disabled': (example) => ({
    disabledWebhookId: idOf('webhook', example),
    disabledAt: timeOf(example),
    disabledReason: 'The endpoint answered 410 Gone.',
  }),
};

export const testWebhook = defineOperation({
  name: 'testWebhook',
  audit: { action: 'webhook.test', isMerged: true },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict'],
  summary: 'Send a webhook an example',
  description:
    'One signed delivery, with one attempt and a body of the given event type with `isTest: true`, regardless of the ' +
    'webhook’s own event types and filters. Its ids do not exist. With `Prefer: wait=N` the response has the result.',
  http: { method: 'POST', path: '/v1/sources/:id/webhooks/:webhookId/test', ...DELIVERY_STATUS },
  params: webhookParams,
  body: {
    eventType: Type.Optional(Type.Enum([...WEBHOOK_EVENT_TYPES], { description: '`delta` by default.' })),
  },
  mayWait: true,
  output: deliverySchema,
  async run(ctx, { webhookId, eventType = 'delta' }) {
    const { recordId } = await getWebhook(ctx, webhookId);
    const eventData = exampleEventData(eventType, recordId, ctx);
    const deliveryId = await ctx.db.transaction(async (trx) => {
      const id = await insertTestDelivery(trx, webhookId, eventType, eventData);
      if (id === undefined) throw webhookDisabled();
      await ctx.audit(trx, { target: { id: webhookId } });
      return id;
    });
    return sendDelivery(ctx, deliveryId, 0);
  },
});
