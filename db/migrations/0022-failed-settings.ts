// The settings of the last check that failed or was held. Until they change, the next check waits for its planned time, also
// when the record never had a good one.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // A hash; null for checks of earlier versions. A new column without a default rewrites nothing.
  await knex.raw('alter table record_heads add column failed_settings text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table record_heads drop column failed_settings');
}
