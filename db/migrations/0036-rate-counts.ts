// Counts of rate limits, which all API processes share. The columns are those of rate-limiter-flexible.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // Unlogged: a crash of PostgreSQL empties it, and the processes go on with their own counts. The free room keeps updates
  // within a page.
  await knex.raw(`
    create unlogged table rate_counts (
      key text primary key,
      points integer not null default 0,
      -- Milliseconds since the epoch.
      expire bigint
    ) with (fillfactor = 50)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rate_counts');
}
