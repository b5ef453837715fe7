// Under which rule the rows of a record are kept, so that a change of the rule can be seen; and what a held check needs
// to be accepted by a person.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table record_heads
      -- The fields that are not stored, as of the present generation.
      add column ignore_fields text[] not null default '{}',
      add column held_check_id text`);
  await knex.raw(`
    update record_heads set ignore_fields = records.ignore_fields
    from records where records.id = record_heads.record_id`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table record_heads drop column held_check_id, drop column ignore_fields');
}
