// Webhooks whose bodies have the rows of the event, and for each of their deliveries what its body depends on.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhooks
      add column include text not null default 'keys' check (include in ('keys', 'rows')),
      add column max_body_bytes integer not null default 262144 check (max_body_bytes between 16384 and 1048576),
      add column fields text[] check (cardinality(fields) > 0)`);
  // Null for a body that depends on nothing but the event and the record's name.
  await knex.raw('alter table deliveries add column body_settings json');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table deliveries drop column body_settings');
  await knex.raw('alter table webhooks drop column include, drop column max_body_bytes, drop column fields');
}
