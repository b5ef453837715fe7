// The line of the header in delimited text: as asked for, and as the rows are kept.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table records
      -- From 1; 0: the table has no header; null: found in the data.
      add column header_row integer check (header_row >= 0)`);
  await knex.raw(`
    alter table record_heads
      -- What was asked for when the present generation began.
      add column header_row integer`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table record_heads drop column header_row');
  await knex.raw('alter table records drop column header_row');
}
