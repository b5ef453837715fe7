// How many rows changed in each column, kept with the event.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table delta_events add column changed_columns json');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table delta_events drop column changed_columns');
}
