// Webhooks that are told of failing checks only after several of them.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhooks
      add column failing_after integer not null default 1 check (failing_after between 1 and 100)`);
  // Since when the checks of a record failed when they had failed as often as a webhook asks for. Only where that is more than once.
  await knex.raw(`
    create table failure_notices (
      webhook_id text not null references webhooks on delete cascade,
      record_id text not null references records on delete cascade,
      since timestamptz not null,
      primary key (webhook_id, record_id)
    )`);
  await knex.raw('create index failure_notices_of_record on failure_notices (record_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table failure_notices');
  await knex.raw('alter table webhooks drop column failing_after');
}
