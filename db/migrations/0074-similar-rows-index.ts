// Finds the pairs of similar rows.
import type { Knex } from 'knex';
import { dropInvalid } from '../driver/short-locks.ts';

/** Building the index must not hold up the checks of a running system. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await dropInvalid(knex, 'row_versions_paired');
  await knex.raw(`
    create index concurrently if not exists row_versions_paired
    on row_versions (record_no, generation, first_seq, previous_key) where previous_key is not null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently row_versions_paired');
}
