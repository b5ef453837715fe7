// Which versions of the code work with the schema, so that the versions before and after an upgrade can run side by side.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table schema_compatibility (
      -- The table has one row.
      id boolean primary key default true check (id),
      -- Code that knows this migration works with the schema, also if it lacks later ones.
      oldest_migration text not null
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table schema_compatibility');
}
