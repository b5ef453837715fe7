// Under which rule the rows of a record are kept, so that a change of the rule can be seen; and what a held check needs
// to be accepted or rejected by a person.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table records
      -- Counts changes of format, delimiter and rows_path: a dialect found under other ones is found out anew.
      add column dialect_version integer not null default 0,
      -- The generation that is to end with the next body, whose rows are compared with nothing.
      add column starts_over_generation integer`);
  await knex.raw(`
    alter table record_heads
      -- The fields that are not stored, as of the present generation.
      add column ignore_fields text[] not null default '{}',
      add column dialect_version integer not null default 0,
      -- When the origin was asked: last_checked_at also counts bodies that were read again.
      add column origin_asked_at timestamptz,
      add column held_check_id text,
      -- What is known of the held body, as its fetch told it.
      add column held_body json,
      add column is_held_accepted boolean not null default false,
      -- Rows of a drop that a person did not believe; null once a check shows the data again.
      add column rejected_rows bigint`);
  await knex.raw(`
    update record_heads set ignore_fields = records.ignore_fields, origin_asked_at = last_checked_at
    from records where records.id = record_heads.record_id`);
  await knex.raw(`
    alter table checks
      drop constraint checks_trigger_check,
      add constraint checks_trigger_check
        check (trigger in ('schedule', 'manual', 'created', 'settings', 'accepted')),
      -- What a held check would have done, in numbers and first keys.
      add column held_changes json,
      add column decision text check (decision in ('accepted', 'rejected')),
      add column decided_at timestamptz,
      add constraint checks_decision check ((decision is null) = (decided_at is null))`);
  // Questions and answers of a worker that reads a body for the API: rows of the data pass through here, and through
  // nothing else.
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
