// Rules for columns: those that are asked for, and those that the stored rows are compared under.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table records add column rules jsonb not null default '{}'`);
  await knex.raw(`
    alter table record_heads
      add column rules jsonb not null default '{}',
      -- The number of the last check whose worker compared rows under the rules.
      add column ruled_check integer`);
  // A worker of the earlier version does not know rules, and would report every value that is only written differently as a change.
  await knex.raw(`
    create function refuse_check_without_rules() returns trigger language plpgsql as $$
    begin
      raise exception 'The record has rules for columns, which this version of the worker does not know'
        using hint = 'Another try succeeds on a worker of the current version.';
    end $$`);
  const isUnruled = `old.rules <> '{}' and new.ruled_check is distinct from new.check_number`;
  // Only the commit of a compared body names this column.
  await knex.raw(`
    create trigger compared_under_rules before update of body_sha256 on record_heads for each row
    when (${isUnruled}) execute function refuse_check_without_rules()`);
  await knex.raw(`
    create trigger held_under_rules before update of held_body on record_heads for each row
    when (${isUnruled} and new.held_body is not null and new.held_check_id is distinct from old.held_check_id)
    execute function refuse_check_without_rules()`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger compared_under_rules on record_heads');
  await knex.raw('drop trigger held_under_rules on record_heads');
  await knex.raw('drop function refuse_check_without_rules()');
  await knex.raw('alter table record_heads drop column rules, drop column ruled_check');
  await knex.raw('alter table records drop column rules');
}
