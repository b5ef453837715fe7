// Whether quotes mean anything in delimited text: what is asked for, and what the stored rows were read with.
import type { Knex } from 'knex';
import { shortStep } from '../driver/short-locks.ts';

/** Each lock is held for one statement. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await shortStep(
    knex,
    `alter table records add column if not exists quoting text not null default 'double'`,
  );
  await shortStep(
    knex,
    `alter table record_heads
      -- The setting when the current generation began.
      add column if not exists quoting text not null default 'double',
      -- The number of the last check whose worker knows the setting.
      add column if not exists quoting_check integer`,
  );
  // A worker of the earlier version reads quotes, and would report each cell that has one as a change.
  await knex.raw(`
    create or replace function refuse_check_with_quotes() returns trigger language plpgsql as $$
    begin
      raise exception 'The record is read without quotes, which this version of the worker does not know'
        using hint = 'Another try succeeds on a worker of the current version.';
    end $$`);
  const isUnaware = `(old.quoting = 'none' or old.dialect ->> 'quoting' = 'none')
    and new.quoting_check is distinct from new.check_number`;
  // Only the commit of a compared body names this column.
  await shortStep(
    knex,
    `create or replace trigger compared_without_quotes before update of body_sha256 on record_heads for each row
    when (${isUnaware}) execute function refuse_check_with_quotes()`,
  );
  await shortStep(
    knex,
    `create or replace trigger held_without_quotes before update of held_body on record_heads for each row
    when (${isUnaware} and new.held_body is not null and new.held_check_id is distinct from old.held_check_id)
    execute function refuse_check_with_quotes()`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger compared_without_quotes on record_heads');
  await knex.raw('drop trigger held_without_quotes on record_heads');
  await knex.raw('drop function refuse_check_with_quotes()');
  await knex.raw('alter table record_heads drop column quoting, drop column quoting_check');
  await knex.raw('alter table records drop column quoting');
}
