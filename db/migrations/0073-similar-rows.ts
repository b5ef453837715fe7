// Records that pair similar rows, and the pairs: the key of the row that a row of a new key was before.
import type { Knex } from 'knex';

/** Building the index must not hold up the checks of a running system. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table records add column if not exists pairing text check (pairing in ('similarity'))`);
  // Null for nearly all versions, which then take no more room than before.
  await knex.raw('alter table row_versions add column if not exists previous_key text collate "C"');
  await knex.raw(`
    create index concurrently if not exists row_versions_paired
    on row_versions (record_no, generation, first_seq, previous_key) where previous_key is not null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently row_versions_paired');
  await knex.raw('alter table row_versions drop column previous_key');
  await knex.raw('alter table records drop column pairing');
}
