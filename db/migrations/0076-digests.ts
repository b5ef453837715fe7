// Webhooks whose events wait for each other, and are sent together as a digest.
import type { Knex } from 'knex';

const allow = (statuses: string): string => `
  alter table deliveries drop constraint deliveries_status_check,
    add constraint deliveries_status_check check (status in (${statuses}))`;

export async function up(knex: Knex): Promise<void> {
  // Only messages for people have digests. A digest waits for no other delivery.
  await knex.raw(`
    alter table webhooks
      add column digest json,
      add constraint webhooks_digest_check
        check (digest is null or (format not in ('json', 'cloudevents') and not ordered))`);
  // Waits for a digest; is a part of one. 0078-digest-indexes.ts checks the rows that are there, without a lock that stops writes.
  const statuses = `'pending', 'delivered', 'failed', 'cancelled', 'collecting', 'merged'`;
  await knex.raw(`${allow(statuses)} not valid`);
}

/** The version before sends one event at a time. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from deliveries where event_type = 'digest'`);
  await knex.raw(
    `update deliveries set status = 'pending', next_attempt_at = now(), finished_at = null where status = 'collecting'`,
  );
  await knex.raw(`update deliveries set status = 'delivered' where status = 'merged'`);
  await knex.raw(allow(`'pending', 'delivered', 'failed', 'cancelled'`));
  await knex.raw('alter table webhooks drop column digest');
}
