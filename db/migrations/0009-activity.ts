// Counts changes over time from an index alone, however many checks found none.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index delta_events_activity on delta_events (record_id, detected_at)
    include (new_count, changed_count, deleted_count) where not is_no_change`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index delta_events_activity');
}
