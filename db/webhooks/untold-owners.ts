// Webhooks that the service has disabled without telling anybody: their owners get a mail.
import { type Database, rawRows } from '../driver/knex.ts';
import { UNSUBSCRIBED } from './end-mails.ts';
import { ACCOUNT_OF_WEBHOOK, MAILS_LEFT } from './mail-allowance.ts';
import { webhooksOf } from './selected-records.ts';

export interface UntoldOwner {
  webhookId: string;
  accountId: string;
  /** Null for the webhook of an account, as its name. */
  recordId: string | null;
  recordName: string | null;
  description: string | null;
  disabledReason: string;
  /** As PostgreSQL writes it, with all digits. */
  disabledAt: string;
  disabledAtMs: number;
  /** Users have confirmed their addresses. */
  email: string;
}

const IS_TOLD = `webhooks.enabled and 'webhook.disabled' = any(webhooks.event_types)`;

/**
 * In random order, so that a mail that cannot be sent holds up no other. The longer a webhook is disabled, the rarer it is listed: a mail
 * is tried each minute at first, and about twenty times in all. Leaves out those of which another webhook tells, those that
 * a reader of mails ended, and those of accounts without a user, or without a mail left in this hour. After a week it is no news.
 */
export const listUntoldOwners = (db: Database, limit: number): Promise<UntoldOwner[]> =>
  rawRows<UntoldOwner>(
    db,
    `with due as materialized (
       select webhooks.id, webhooks.record_id, ${ACCOUNT_OF_WEBHOOK} as account_id, description, disabled_reason, disabled_at
       from webhooks
       where disabled_reason is not null and (owner_told_at is null or owner_told_at < disabled_at)
         and disabled_at > now() - interval '7 days' and not enabled
         and random() * extract(epoch from now() - disabled_at) < 120
         and disabled_reason <> :unsubscribed and ${MAILS_LEFT} > 0)
     select due.id as "webhookId", due.account_id as "accountId", due.record_id as "recordId",
       records.name as "recordName", due.description, due.disabled_reason as "disabledReason",
       due.disabled_at::text as "disabledAt",
       floor(extract(epoch from due.disabled_at) * 1000)::double precision as "disabledAtMs", owner.email
     from due join accounts on accounts.id = due.account_id and accounts.deleted_at is null
     left join records on records.id = due.record_id
     cross join lateral (select email from users where users.account_id = due.account_id order by id limit 1) owner
     where records.deleted_at is null
       and not exists (select from ${webhooksOf('due.record_id')} webhooks where ${IS_TOLD})
       and (due.record_id is not null or not exists (
         select from webhooks where webhooks.account_id = due.account_id and webhooks.selects = 'all' and ${IS_TOLD}))
     order by random() limit :limit`,
    { unsubscribed: UNSUBSCRIBED, limit },
  );

/** Does nothing to a webhook that was enabled, or disabled again, since it was listed. */
export async function noteToldOwner(
  db: Database,
  { webhookId, disabledAt }: Pick<UntoldOwner, 'webhookId' | 'disabledAt'>,
): Promise<void> {
  await db('webhooks').where({ id: webhookId, disabledAt }).update({ ownerToldAt: db.fn.now() });
}
