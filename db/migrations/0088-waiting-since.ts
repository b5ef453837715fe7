// Since when an event waits for its digest, where that is not since it happened.
import type { Knex } from 'knex';
import { dropInvalid, shortStep } from '../driver/short-locks.ts';

/** Building the index must not hold up the deliveries of a running system. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  // Null: since it happened.
  await shortStep(knex, 'alter table deliveries add column if not exists waits_since timestamptz');
  await dropInvalid(knex, 'deliveries_waiting');
  // The version before reads `deliveries_collecting`. A later migration can drop it.
  await knex.raw(`
    create index concurrently if not exists deliveries_waiting
    on deliveries (webhook_id, coalesce(waits_since, created_at)) where status = 'collecting'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently deliveries_waiting');
  await knex.raw('alter table deliveries drop column waits_since');
}
