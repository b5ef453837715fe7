// The webhook that a call is about.
import { findWebhook, type PublicWebhook } from '../../db/webhooks/webhooks.ts';
import type { Context } from '../contract/context.ts';
import { notFound } from '../contract/errors.ts';
import { getRecord } from './get-record.ts';

/** @throws ApiError not_found: also for one of another record */
export async function getWebhook(
  ctx: Pick<Context, 'db' | 'record' | 'principal' | 'reference'>,
  webhookId: string,
): Promise<PublicWebhook> {
  const webhook = await findWebhook(ctx.db, getRecord(ctx).id, webhookId);
  if (webhook === undefined) throw notFound();
  return webhook;
}
