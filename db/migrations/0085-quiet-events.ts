// Records whose feed says that they have not changed for some hours.
import type { Knex } from 'knex';

const allow = (types: string): string => `
  alter table feed_events drop constraint feed_events_type_check,
    add constraint feed_events_type_check check (type in (${types})) not valid`;

const CHECKS = `'delta', 'check.failed', 'check.recovered', 'check.held'`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table records
      add column quiet_hours integer check (quiet_hours between 1 and 8760),
      -- Since when the record was quiet when its feed last said so.
      add column quiet_told_since timestamptz`);
  // Read every minute.
  await knex.raw(
    'create index records_of_quiet on records (id) where quiet_hours is not null and deleted_at is null',
  );
  // Not validated: all rows were valid under the narrower constraint, and reading them all would hold the lock.
  await knex.raw(allow(`${CHECKS}, 'record.quiet'`));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from feed_events where type = 'record.quiet'`);
  await knex.raw(allow(CHECKS));
  await knex.raw('drop index records_of_quiet');
  await knex.raw('alter table records drop column quiet_hours, drop column quiet_told_since');
}
