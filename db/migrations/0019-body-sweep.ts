// How far the store of bodies has been searched for those that were stored before loose bodies were noted (0012).
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table body_sweep (
      -- There is one.
      id boolean primary key default true check (id),
      -- Everything up to this key of the store has been looked at; null: everything has.
      after_key text default ''
    )`);
  await knex.raw('insert into body_sweep default values');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table body_sweep');
}
