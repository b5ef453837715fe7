// Webhooks, their deliveries, and every attempt.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhooks (
      id text primary key,
      record_id text not null references records on delete cascade,
      url text not null,
      sealed_secret bytea not null,
      enabled boolean not null default true,
      disabled_reason text,
      event_types text[] not null default '{delta}',
      created_at timestamptz not null default now()
    )`);
  await knex.raw('create index webhooks_by_record on webhooks (record_id, id desc)');

  await knex.raw(`
    create table deliveries (
      id text primary key,
      webhook_id text not null references webhooks on delete cascade,
      record_id text not null,
      -- Deleted with its event, without which there is nothing to deliver.
      delta_event_id text not null references delta_events on delete cascade,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
      attempt_count integer not null default 0,
      -- Set while pending: when the next attempt is due. Reconciling finds overdue ones.
      next_attempt_at timestamptz,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      unique (webhook_id, delta_event_id),
      check ((status = 'pending') = (next_attempt_at is not null))
    )`);
  await knex.raw('create index deliveries_by_event on deliveries (delta_event_id)');
  await knex.raw(
    'create index deliveries_due on deliveries (next_attempt_at) where next_attempt_at is not null',
  );

  await knex.raw(`
    create table attempts (
      delivery_id text not null references deliveries on delete cascade,
      number integer not null,
      started_at timestamptz not null,
      duration_ms integer not null,
      status_code integer,
      error_code text,
      response_excerpt text,
      primary key (delivery_id, number)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['attempts', 'deliveries', 'webhooks']) await knex.raw('drop table ??', [table]);
}
