// Event types and filters of webhooks, secret rotation, and deliveries of other events than delta events.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhooks
      add column description text,
      -- Filters of delta events; null: all events.
      add column change_types text[]
        check (cardinality(change_types) > 0 and change_types <@ '{new,changed,deleted}'),
      add column columns text[] check (cardinality(columns) > 0),
      add column min_changes integer check (min_changes > 0),
      -- After a rotation both secrets sign until this time.
      add column previous_sealed_secret bytea,
      add column previous_secret_until timestamptz,
      add constraint webhooks_previous_secret
        check ((previous_sealed_secret is null) = (previous_secret_until is null)),
      -- When the first of the consecutive failed attempts was made; null after a success.
      add column failing_since timestamptz,
      add column disabled_at timestamptz`);

  await knex.raw(`
    alter table deliveries
      add column event_type text not null default 'delta',
      alter column delta_event_id drop not null,
      -- Data of the body for events other than delta events, whose bodies are built from the event.
      add column event_data json,
      add constraint deliveries_event check ((delta_event_id is null) = (event_data is not null)),
      -- Attempts before the delivery was reopened: the schedule counts from here.
      add column attempts_before integer not null default 0,
      -- The check that caused it, for its first attempt; null without one, and after a recovery.
      add column check_id text references checks on delete cascade,
      -- The workflow sendBacklog makes its next attempt: after a recovery, or when the endpoint was at its limit.
      add column in_backlog boolean not null default false`);
  await knex.raw('create index deliveries_by_check on deliveries (check_id) where check_id is not null');
  await knex.raw(`
    create index deliveries_backlog on deliveries (webhook_id, next_attempt_at, id)
      where in_backlog and status = 'pending'`);
  // When the first of the consecutive failed or held checks was made; null after a successful one.
  await knex.raw('alter table record_heads add column failing_since timestamptz');
  await knex.raw('create index deliveries_by_webhook on deliveries (webhook_id, id desc)');
  await knex.raw('create index deliveries_by_status on deliveries (webhook_id, status, id desc)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index deliveries_by_status');
  await knex.raw('drop index deliveries_by_webhook');
  await knex.raw('drop index deliveries_backlog');
  await knex.raw('drop index deliveries_by_check');
  await knex.raw('alter table record_heads drop column failing_since');
  await knex.raw('delete from deliveries where delta_event_id is null');
  await knex.raw(`
    alter table deliveries
      drop column in_backlog,
      drop column check_id,
      drop column attempts_before,
      drop constraint deliveries_event,
      drop column event_data,
      alter column delta_event_id set not null,
      drop column event_type`);
  await knex.raw(`
    alter table webhooks
      drop column disabled_at,
      drop column failing_since,
      drop constraint webhooks_previous_secret,
      drop column previous_secret_until,
      drop column previous_sealed_secret,
      drop column min_changes,
      drop column columns,
      drop column change_types,
      drop column description`);
}
