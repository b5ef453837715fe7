// Finds the events that wait for a digest, and the digests of an account.
import type { Knex } from 'knex';
import { dropInvalid } from '../driver/short-locks.ts';

/** Building the indexes must not hold up the deliveries of a running system. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table deliveries validate constraint deliveries_status_check');
  await dropInvalid(knex, 'deliveries_collecting');
  await knex.raw(`
    create index concurrently if not exists deliveries_collecting on deliveries (webhook_id, created_at)
    where status = 'collecting'`);
  // A deleted record leaves the digests of its account.
  await dropInvalid(knex, 'deliveries_digests');
  await knex.raw(`
    create index concurrently if not exists deliveries_digests on deliveries (webhook_id)
    where event_type = 'digest'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently deliveries_digests');
  await knex.raw('drop index concurrently deliveries_collecting');
}
