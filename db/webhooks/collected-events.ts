// The events that a webhook has collected (collecting.ts), when its settings change.
import { type Database, rawRows } from '../driver/knex.ts';
import { IS_NOTICE } from './collecting.ts';
import { deltaSettings, newsSettings } from './new-deliveries.ts';

/** SQL of the time since which a collected event waits. Without another, since it happened. */
export const WAITS_SINCE = 'coalesce(waits_since, created_at)';

/** Lets them wait for the next time of another setting. */
export const waitAgain = (trx: Database, webhookId: string): Promise<number> =>
  trx('deliveries').where({ webhookId, status: 'collecting' }).update({ waitsSince: trx.fn.now() });

/** A message keeps the filters of its event. A body for a program has those of now. */
const PRESENT_SETTINGS = `case
  when ${IS_NOTICE} then jsonb_set(body_settings::jsonb, '{format}', to_jsonb(webhooks.format))::json
  when delta_event_id is null then ${newsSettings('deliveries.record_id')}
  else ${deltaSettings('deliveries.record_id')} end`;

/** Sends each of them alone, in the present format of the webhook. Locks them in the order of their ids, as where attempts are recorded. */
export async function sendCollected(trx: Database, webhookId: string): Promise<void> {
  await rawRows(
    trx,
    `update deliveries set status = 'pending', next_attempt_at = now(), body_settings = ${PRESENT_SETTINGS}
     from webhooks where webhooks.id = deliveries.webhook_id and deliveries.id = any(array(
       select id from deliveries where webhook_id = ? and status = 'collecting' order by id for no key update))`,
    [webhookId],
  );
}
