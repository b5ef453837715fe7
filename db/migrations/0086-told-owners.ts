// When the owner of a webhook got a mail about its end. Those of webhooks that were disabled before get none.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table webhooks add column owner_told_at timestamptz');
  await knex.raw('update webhooks set owner_told_at = now() where disabled_reason is not null');
  // Read every minute.
  await knex.raw(`
    create index webhooks_of_untold_owners on webhooks (disabled_at)
    where disabled_reason is not null and (owner_told_at is null or owner_told_at < disabled_at)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhooks drop column owner_told_at');
}
