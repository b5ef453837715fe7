// Finds the deliveries of a record that are deleted with no event and no check, also those to webhooks of its account.
import type { Knex } from 'knex';
import { dropInvalid } from '../driver/short-locks.ts';

/** Building the index must not hold up the deliveries of a running system. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await dropInvalid(knex, 'deliveries_lone');
  await knex.raw(`
    create index concurrently if not exists deliveries_lone on deliveries (record_id, id)
    where delta_event_id is null and check_id is null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently deliveries_lone');
}
