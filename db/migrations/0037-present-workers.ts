// The workers that run now: each has a row, which it renews every few seconds.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // Unlogged: after a crash of PostgreSQL the workers fill it again.
  await knex.raw(`
    create unlogged table present_workers (
      id uuid primary key,
      seen_at timestamptz not null
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table present_workers');
}
