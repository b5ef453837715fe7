// Deliveries of a webhook of a record or an account: a page of them, one with its body, sending again, recovering missed ones.
import { readDeliveredEvents } from '../../db/rows/delta-events.ts';
import { type Static, Type } from 'typebox';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../core/deliveries.ts';
import { ApiError } from '../../core/errors.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findDelivery } from '../../db/webhooks/deliveries.ts';
import { readDeliveryBody } from '../../db/webhooks/delivery-body.ts';
import {
  type DeliveryRow,
  findDeliveryLog,
  listDeliveries,
  listLastAttempts,
} from '../../db/webhooks/delivery-log.ts';
import { recoverDeliveries, reopenDelivery } from '../../db/webhooks/reopen-deliveries.ts';
import type { PublicWebhook } from '../../db/webhooks/webhooks.ts';
import { takeRequestedMail } from '../access/usage-limits.ts';
import { readSlowly } from '../capacity/slow-reads.ts';
import type { Audit } from '../contract/audit.ts';
import type { Context } from '../contract/context.ts';
import { invalidField, notFound } from '../contract/errors.ts';
import { orderedPageQuery } from '../input/fields.ts';
import { readPage, USUAL_LIMITS } from '../input/page.ts';
import { edgeField } from '../input/since.ts';
import { type deliverySchema, presentDelivery } from '../resources/delivery.ts';
import { tellDeliveries } from '../temporal/workflows.ts';
import { readLog, sendDelivery, webhookDisabled } from './send-delivery.ts';

type Delivery = Static<typeof deliverySchema>;

export const deliveryListQuery = {
  ...orderedPageQuery,
  status: Type.Optional(
    Type.Enum([...DELIVERY_STATUSES], { description: 'Only deliveries with this status.' }),
  ),
  since: Type.Optional(edgeField('Only deliveries of events after this ISO 8601 time or event id.')),
};

interface DeliveryListing {
  limit?: number;
  cursor?: string;
  order?: 'asc' | 'desc';
  status?: DeliveryStatus;
  since?: string;
}

/** @param sinceTime the time that `since` means */
export async function readDeliveries(
  ctx: Pick<Context, 'db' | 'cursors'>,
  webhookId: string,
  { order = 'desc', status, since, ...query }: DeliveryListing,
  sinceTime: Date | null,
) {
  const filters = { webhookId, order, status: status ?? null, since: since ?? null };
  const { items, ...page } = await readPage<DeliveryRow, [string]>(
    ctx,
    { listing: 'deliveries', filters, limits: USUAL_LIMITS },
    query,
    ({ after, limit }) =>
      listDeliveries(ctx.db, webhookId, { status: filters.status, since: sinceTime }, order, {
        after: after?.[0] ?? null,
        limit,
      }),
    (delivery) => [delivery.id],
  );
  const attempts = await listLastAttempts(
    ctx.db,
    items.map(({ id }) => id),
  );
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return { ...page, deliveries: items.map((each) => presentDelivery(each, byDelivery.get(each.id) ?? [])) };
}

export async function readDelivery(ctx: Context, webhookId: string, deliveryId: string): Promise<Delivery> {
  const delivery = await findDeliveryLog(ctx.db, deliveryId, webhookId);
  if (delivery === undefined) throw notFound();
  const payload = await readPayload(ctx, deliveryId);
  // Deleted between the two reads.
  if (payload === undefined) throw notFound();
  return { ...presentDelivery(delivery, delivery.attempts), payload };
}

/**
 * Built by the same function as for an attempt.
 * @returns undefined when the delivery, its event or its record was deleted
 */
async function readPayload(
  { db, config, cursors }: Pick<Context, 'db' | 'config' | 'cursors'>,
  deliveryId: string,
): Promise<string | undefined> {
  const delivery = await findDelivery(db, deliveryId);
  if (delivery === undefined) return undefined;
  const events = await readDeliveredEvents(db, [delivery]);
  const sources = { db, cursors, baseUrl: config.baseUrl };
  return readDeliveryBody(sources, delivery, events.get(delivery.deltaEventId ?? ''));
}

export async function sendAgain(
  ctx: Context & { audit: Audit },
  { id: webhookId, format }: PublicWebhook,
  deliveryId: string,
): Promise<Delivery> {
  const delivery = await findDeliveryLog(ctx.db, deliveryId, webhookId);
  if (delivery === undefined) throw notFound();
  if (format === 'mail') await takeRequestedMail(ctx.db, ctx.principal.accountId);
  const reopened = await ctx.db.transaction(async (trx) => {
    if (!(await reopenDelivery(trx, deliveryId))) throw webhookDisabled();
    await ctx.audit(trx, { target: { id: deliveryId } });
    return readLog(trx, deliveryId);
  });
  return sendDelivery(ctx, reopened, delivery.attemptCount);
}

const MAX_DELIVERIES = 10_000;

export const recoverySchema = Type.Object(
  {
    webhookId: Type.String(),
    dryRun: Type.Boolean(),
    count: Type.Integer({ description: 'Deliveries that are sent, or with `dryRun` would be.' }),
    hasMore: Type.Boolean({ description: 'There are more: repeat the request after these were sent.' }),
  },
  { title: 'Recovery' },
);

/** @param readSince throws an error about the parameter `since`, which here is a field of the body */
export async function recoverFor(
  ctx: Context & { audit: Audit },
  { id: webhookId, enabled, columns, condition, selects }: PublicWebhook,
  dryRun: boolean,
  readSince: () => Promise<Date>,
): Promise<Static<typeof recoverySchema>> {
  if (!enabled) throw webhookDisabled();
  const time = await readSince().catch((error: unknown) => {
    throw ofBody(error);
  });
  const request = { since: time, isDryRun: dryRun, limit: MAX_DELIVERIES };
  const recover = (db: Database) =>
    db.transaction(async (trx) => {
      const recovery = await recoverDeliveries(trx, webhookId, request);
      if (!dryRun && (recovery?.count ?? 0) > 0) await ctx.audit(trx, { target: { id: webhookId } });
      return recovery;
    });
  // A column filter and a condition read the rows of past events. The events of an account may be many.
  const isSlow = columns !== null || condition !== null || selects !== null;
  const recovery = isSlow ? await readSlowly(ctx, recover) : await recover(ctx.db);
  if (recovery === undefined) throw webhookDisabled();
  if (!dryRun && recovery.count > 0) await tellDeliveries(ctx, { backlogOf: webhookId });
  return { webhookId, dryRun, ...recovery };
}

function ofBody(error: unknown): unknown {
  const [fault] = error instanceof ApiError && error.code === 'invalid_parameter' ? error.errors : [];
  return fault === undefined ? error : invalidField('/since', fault.code, fault.detail);
}
