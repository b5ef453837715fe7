// How far the blob store has been searched for bodies stored before loose bodies were recorded (0012).
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table body_sweep (
      -- The table has one row.
      id boolean primary key default true check (id),
      -- The store was searched up to this key; null: completely.
      after_key text default ''
    )`);
  await knex.raw('insert into body_sweep default values');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table body_sweep');
}
