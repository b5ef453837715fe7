// Events name the rows before pairs of similar rows, so that readers of keys alone can follow them.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // Previous keys by key, of the changed keys of the event. Null without pairs, and in events from before.
  await knex.raw('alter table delta_events add column previous_keys json');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table delta_events drop column previous_keys');
}
