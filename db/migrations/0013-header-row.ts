// The header line of delimited text: the requested one, and the one that rows are stored under.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table records
      -- From 1; 0: no header; null: detected from the data.
      add column header_row integer check (header_row >= 0)`);
  await knex.raw(`
    alter table record_heads
      -- The setting when the current generation began.
      add column header_row integer`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table record_heads drop column header_row');
  await knex.raw('alter table records drop column header_row');
}
