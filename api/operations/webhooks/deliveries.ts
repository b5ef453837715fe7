// Deliveries of a webhook: list and read them, send them again, recover missed ones.
import { type Static, Type } from 'typebox';
import { deliveryPayload } from '../../../core/delivery-payload.ts';
import { findDelivery, readDeliveredEvents } from '../../../db/webhooks/deliveries.ts';
import type { Context } from '../../contract/context.ts';
import { DELIVERY_STATUSES } from '../../../core/deliveries.ts';
import {
  type DeliveryRow,
  findDeliveryLog,
  listDeliveries,
  listLastAttempts,
} from '../../../db/webhooks/delivery-log.ts';
import { invalidField, notFound } from '../../contract/errors.ts';
import { deliveryParams, orderedPageQuery, webhookParams } from '../../input/fields.ts';
import { getRecord, getWebhook } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { deliverySchema, presentDelivery } from '../../resources/delivery.ts';
import { edgeField, readSinceTime } from '../../input/since.ts';
import { recoverDeliveries, reopenDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { DELIVERY_STATUS, sendDelivery, webhookDisabled } from '../../webhooks/send-delivery.ts';
import { ApiError } from '../../../core/errors.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { tellDeliveries } from '../../temporal/workflows.ts';

/**
 * Built by the same function as for an attempt.
 * @returns undefined when the delivery or its event was deleted
 */
async function readPayload(
  { db, config }: Pick<Context, 'db' | 'config'>,
  deliveryId: string,
): Promise<string | undefined> {
  const delivery = await findDelivery(db, deliveryId);
  if (delivery === undefined) return undefined;
  const events = await readDeliveredEvents(db, [delivery]);
  return deliveryPayload(delivery, events.get(delivery.deltaEventId ?? ''), config.baseUrl);
}

const ofDelivery = {
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
} as const;

export const listWebhookDeliveries = defineOperation({
  ...ofDelivery,
  name: 'listDeliveries',
  errors: ['gone'],
  summary: 'List a webhook’s deliveries, sent and pending',
  description:
    'A delivery is listed as long as its event is stored. The response for one delivery has what is sent, and what ' +
    'the endpoint answered.',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks/:webhookId/deliveries' },
  params: webhookParams,
  query: {
    ...orderedPageQuery,
    status: Type.Optional(
      Type.Enum([...DELIVERY_STATUSES], { description: 'Only deliveries with this status.' }),
    ),
    since: Type.Optional(edgeField('Only deliveries of events after this ISO 8601 time or event id.')),
  },
  output: Type.Object({ ...recordEnvelope, deliveries: Type.Array(deliverySchema) }),
  async run(ctx, { webhookId, order = 'desc', status = null, since, ...query }) {
    const record = getRecord(ctx);
    await getWebhook(ctx, webhookId);
    const filter = { status, since: await readSinceTime(ctx, record, since) };
    const filters = { webhookId, order, status, since: since ?? null };
    const { items, ...page } = await readPage<DeliveryRow, [string]>(
      ctx,
      { listing: 'deliveries', filters, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        listDeliveries(ctx.db, webhookId, filter, order, { after: after?.[0] ?? null, limit }),
      (delivery) => [delivery.id],
    );
    const attempts = await listLastAttempts(
      ctx.db,
      items.map(({ id }) => id),
    );
    const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
    const deliveries = items.map((each) => presentDelivery(each, byDelivery.get(each.id) ?? []));
    return { sourceId: record.id, ...page, deliveries };
  },
});

export const getOneDelivery = defineOperation({
  ...ofDelivery,
  name: 'getDelivery',
  summary: 'Read one delivery, with what is sent and what the endpoint answered',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks/:webhookId/deliveries/:deliveryId' },
  params: deliveryParams,
  output: deliverySchema,
  async run(ctx, { webhookId, deliveryId }) {
    await getWebhook(ctx, webhookId);
    const delivery = await findDeliveryLog(ctx.db, deliveryId, webhookId);
    if (delivery === undefined) throw notFound();
    const payload = await readPayload(ctx, deliveryId);
    // Deleted between the two reads.
    if (payload === undefined) throw notFound();
    return { ...presentDelivery(delivery, delivery.attempts), payload };
  },
});

export const redeliver = defineOperation({
  name: 'redeliver',
  audit: { action: 'delivery.redeliver', isMerged: true },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict'],
  summary: 'Send a delivery again',
  description:
    'Sends a delivery with any status again, with ten more attempts. It keeps its id, so receivers that remember ids ' +
    'ignore it. A pending delivery is attempted now. With `Prefer: wait=N` the response has the result of the ' +
    'attempt.',
  http: {
    method: 'POST',
    path: '/v1/sources/:id/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
    ...DELIVERY_STATUS,
  },
  params: deliveryParams,
  mayWait: true,
  output: deliverySchema,
  async run(ctx, { webhookId, deliveryId }) {
    await getWebhook(ctx, webhookId);
    const delivery = await findDeliveryLog(ctx.db, deliveryId, webhookId);
    if (delivery === undefined) throw notFound();
    await ctx.db.transaction(async (trx) => {
      if (!(await reopenDelivery(trx, deliveryId))) throw webhookDisabled();
      await ctx.audit(trx, { target: { id: deliveryId } });
    });
    return sendDelivery(ctx, deliveryId, delivery.attemptCount);
  },
});

const MAX_DELIVERIES = 10_000;

const recoverySchema = Type.Object(
  {
    webhookId: Type.String(),
    dryRun: Type.Boolean(),
    count: Type.Integer({ description: 'Deliveries that are sent, or with `dryRun` would be.' }),
    hasMore: Type.Boolean({ description: 'There are more: repeat the request after these were sent.' }),
  },
  { title: 'Recovery' },
);

export const recoverWebhook = defineOperation({
  name: 'recoverWebhook',
  audit: { action: 'webhook.recover' },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict', 'gone', 'query_too_expensive'],
  summary: 'Send what a webhook has missed',
  description:
    'Since a time or an event: deliveries that failed, deliveries that were cancelled because the webhook was ' +
    'disabled, and events that had no delivery because it was disabled. Oldest first, each with ten attempts. ' +
    'Deliveries keep their ids. Of events without a delivery, only delta events can be recovered: those after the ' +
    'webhook’s creation that match its filters.',
  http: {
    method: 'POST',
    path: '/v1/sources/:id/webhooks/:webhookId/recover',
    status: ({ dryRun }: Static<typeof recoverySchema>) => (dryRun ? 200 : 202),
    statuses: [200, 202],
  },
  params: webhookParams,
  body: {
    since: edgeField('Only events after this ISO 8601 time or event id.'),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only count. false by default.' })),
  },
  output: recoverySchema,
  async run(ctx, { webhookId, since, dryRun = false }) {
    const record = getRecord(ctx);
    const { enabled, columns } = await getWebhook(ctx, webhookId);
    if (!enabled) throw webhookDisabled();
    const time = await readSinceTime(ctx, record, since).catch((error: unknown) => {
      throw ofBody(error);
    });
    const request = { since: time, isDryRun: dryRun, limit: MAX_DELIVERIES };
    const recover = (db: Database) =>
      db.transaction(async (trx) => {
        const recovery = await recoverDeliveries(trx, webhookId, request);
        if (!dryRun && (recovery?.count ?? 0) > 0) await ctx.audit(trx, { target: { id: webhookId } });
        return recovery;
      });
    // A column filter reads the rows of past events.
    const recovery = columns === null ? await recover(ctx.db) : await readSlowly(ctx, recover);
    if (recovery === undefined) throw webhookDisabled();
    if (!dryRun && recovery.count > 0) await tellDeliveries(ctx, { backlogOf: webhookId });
    return { webhookId, dryRun, ...recovery };
  },
});

/** Errors of `since` name a parameter; here it is a body field. */
function ofBody(error: unknown): unknown {
  const [fault] = error instanceof ApiError && error.code === 'invalid_parameter' ? error.errors : [];
  return fault === undefined ? error : invalidField('/since', fault.code, fault.detail);
}
