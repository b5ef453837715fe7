// Webhooks that are told when a record has not changed for some hours.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhooks
      add column quiet_hours integer not null default 24 check (quiet_hours between 1 and 8760)`);
  // Read every minute.
  await knex.raw(
    `create index webhooks_of_quiet on webhooks (id) where enabled and 'record.quiet' = any (event_types)`,
  );
  // Since when a record was quiet when a webhook was last told so.
  await knex.raw(`
    create table quiet_notices (
      webhook_id text not null references webhooks on delete cascade,
      record_id text not null references records on delete cascade,
      since timestamptz not null,
      primary key (webhook_id, record_id)
    )`);
  await knex.raw('create index quiet_notices_of_record on quiet_notices (record_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table quiet_notices');
  await knex.raw('drop index webhooks_of_quiet');
  await knex.raw('alter table webhooks drop column quiet_hours');
}
