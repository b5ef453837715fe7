// The rule that a record's rows are stored under, so that a change of it can be detected, and what deciding on a held check
// needs.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table records
      -- Counts changes of format, delimiter and rows_path: after one, the dialect is detected again.
      add column dialect_version integer not null default 0,
      -- The generation that ends with the next body, whose rows are not compared.
      add column starts_over_generation integer`);
  await knex.raw(`
    alter table record_heads
      -- The ignored fields of the current generation.
      add column ignore_fields text[] not null default '{}',
      add column dialect_version integer not null default 0,
      -- The last request to the origin; last_checked_at includes checks that read a stored body again.
      add column origin_asked_at timestamptz,
      add column held_check_id text,
      -- The facts of the held body's fetch.
      add column held_body json,
      add column is_held_accepted boolean not null default false,
      -- Rows of a drop that a person rejected; null once a check finds the data again.
      add column rejected_rows bigint`);
  await knex.raw(`
    update record_heads set ignore_fields = records.ignore_fields, origin_asked_at = last_checked_at
    from records where records.id = record_heads.record_id`);
  await knex.raw(`
    alter table checks
      drop constraint checks_trigger_check,
      add constraint checks_trigger_check
        check (trigger in ('schedule', 'manual', 'created', 'settings', 'accepted')),
      -- What a held check would have changed: counts and first keys.
      add column held_changes json,
      add column decision text check (decision in ('accepted', 'rejected')),
      add column decided_at timestamptz,
      add constraint checks_decision check ((decision is null) = (decided_at is null))`);
  // Requests of the API that a worker answers by reading a body. The only place where row data pass between them.
  await knex.raw(`
    create table rule_previews (
      id text primary key,
      record_id text not null references records on delete cascade,
      rule json not null,
      -- Null while the body is being read.
      result json,
      created_at timestamptz not null default now()
    )`);
  await knex.raw('create index rule_previews_by_record on rule_previews (record_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rule_previews');
  await knex.raw(`update checks set trigger = 'manual' where trigger in ('settings', 'accepted')`);
  await knex.raw(`
    alter table checks
      drop constraint checks_decision, drop column decided_at, drop column decision, drop column held_changes,
      drop constraint checks_trigger_check,
      add constraint checks_trigger_check check (trigger in ('schedule', 'manual', 'created'))`);
  await knex.raw(`
    alter table record_heads
      drop column rejected_rows, drop column is_held_accepted, drop column held_body, drop column held_check_id,
      drop column origin_asked_at, drop column dialect_version, drop column ignore_fields`);
  await knex.raw('alter table records drop column starts_over_generation, drop column dialect_version');
}
