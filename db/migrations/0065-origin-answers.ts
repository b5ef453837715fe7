// What the origin answered to a check that failed, for people who look for the reason.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table checks add column answer json');
  // Kept with a body until its check has ended: only then is it known whether the check fails.
  await knex.raw('alter table loose_bodies add column answer json');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table checks drop column answer');
  await knex.raw('alter table loose_bodies drop column answer');
}
