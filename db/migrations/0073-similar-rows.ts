// Records that pair similar rows, and the pairs: the key of the row that a row of a new key was before.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table records add column pairing text check (pairing in ('similarity'))`);
  // Null for nearly all versions, which then take no more room than before.
  await knex.raw('alter table row_versions add column previous_key text collate "C"');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table row_versions drop column previous_key');
  await knex.raw('alter table records drop column pairing');
}
