// Since when the data of a snapshot are the same, if it is only another reading of an earlier one: after a change of the settings.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // Null: since the snapshot itself. It is kept here because retention deletes the earlier snapshot, and the event of its change.
  await knex.raw('alter table snapshots add column unchanged_since timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table snapshots drop column unchanged_since');
}
