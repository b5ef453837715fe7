// Adds to webhooks how their deliveries went lately, if the caller asks for it.
import { type Static, Type } from 'typebox';
import { readDeliveryActivity } from '../../db/webhooks/delivery-activity.ts';
import type { Context } from '../contract/context.ts';
import { presentActivity, type webhookActivitySchema } from '../resources/webhook-activity.ts';

export const activityQuery = {
  activity: Type.Optional(
    Type.Boolean({
      description: 'Adds `activity`: the last delivery, and how many arrived and failed in the last 30 days.',
    }),
  ),
};

/** @param isAsked undefined: no */
export async function withActivity<Webhook extends { id: string }>(
  { db }: Pick<Context, 'db'>,
  webhooks: readonly Webhook[],
  isAsked: boolean | undefined,
): Promise<(Webhook & { activity?: Static<typeof webhookActivitySchema> })[]> {
  if (isAsked !== true || webhooks.length === 0) return [...webhooks];
  const found = await readDeliveryActivity(
    db,
    webhooks.map(({ id }) => id),
  );
  return webhooks.map((webhook) => {
    const activity = found.get(webhook.id);
    return activity === undefined ? webhook : { ...webhook, activity: presentActivity(activity) };
  });
}
