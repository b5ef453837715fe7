// Webhooks whose events wait for each other, and are sent together as a digest.
import type { Knex } from 'knex';

/** Building the indexes must not hold up the deliveries of a running system. */
export const config = { transaction: false };

/** The constraint is replaced, and checked without a lock that stops writes. */
const allow = (statuses: string): string => `
  alter table deliveries drop constraint deliveries_status_check;
  alter table deliveries add constraint deliveries_status_check check (status in (${statuses})) not valid;
  alter table deliveries validate constraint deliveries_status_check`;

export async function up(knex: Knex): Promise<void> {
  // Only messages for people have digests. A digest waits for no other delivery.
  await knex.raw(`
    alter table webhooks
      add column if not exists digest json,
      drop constraint if exists webhooks_digest_check,
      add constraint webhooks_digest_check
        check (digest is null or (format not in ('json', 'cloudevents') and not ordered))`);
  // Waits for a digest; is a part of one.
  await knex.raw(allow(`'pending', 'delivered', 'failed', 'cancelled', 'collecting', 'merged'`));
  await knex.raw(`
    create index concurrently if not exists deliveries_collecting on deliveries (webhook_id, created_at)
    where status = 'collecting'`);
  // A deleted record leaves the digests of its account.
  await knex.raw(`
    create index concurrently if not exists deliveries_digests on deliveries (webhook_id)
    where event_type = 'digest'`);
}

/** The version before sends one event at a time. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from deliveries where event_type = 'digest'`);
  await knex.raw(
    `update deliveries set status = 'pending', next_attempt_at = now(), finished_at = null where status = 'collecting'`,
  );
  await knex.raw(`update deliveries set status = 'delivered' where status = 'merged'`);
  await knex.raw('drop index concurrently deliveries_digests');
  await knex.raw('drop index concurrently deliveries_collecting');
  await knex.raw(allow(`'pending', 'delivered', 'failed', 'cancelled'`));
  await knex.raw('alter table webhooks drop column digest');
}
