// Ends the mails of a webhook, as their reader asks, who has no credential.
import { type Database, rawRows } from '../driver/knex.ts';
import { cancelAllDeliveries } from './deliveries.ts';

/** Why the service disabled such a webhook. */
export const UNSUBSCRIBED = 'The reader of the mails unsubscribed.';

interface EndedMails {
  accountId: string;
  description: string | null;
}

/**
 * Disables a webhook that sends mails to this `mailto:` URL, and cancels what waits.
 * @returns undefined when it was disabled before, or there is none
 */
export function endMails(
  db: Database,
  { webhookId, url }: { webhookId: string; url: string },
  inTransaction: (trx: Database, ended: EndedMails) => Promise<void>,
): Promise<EndedMails | undefined> {
  return db.transaction(async (trx) => {
    const [ended] = await rawRows<EndedMails>(
      trx,
      `update webhooks set enabled = false, disabled_at = now(), disabled_reason = :reason
       where id = :webhookId and url = :url and enabled and format = 'mail'
       returning description,
         coalesce(account_id, (select account_id from records where records.id = record_id)) as "accountId"`,
      { webhookId, url, reason: UNSUBSCRIBED },
    );
    if (ended === undefined) return undefined;
    await cancelAllDeliveries(trx, webhookId);
    await inTransaction(trx, ended);
    return ended;
  });
}
