// Every check updates the head of its record. Without an index on what changes, and with room on each page, PostgreSQL keeps
// the new version on its page and writes no index (heap-only tuples). Reconciling reads the heads without an index.
import type { Knex } from 'knex';

/** Removing an index must not wait for the commit of a large body with every other statement behind it. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists record_heads_due');
  // Applies to new versions of rows. The table is not rewritten: each head moves to a page with room when it is updated.
  await knex.raw('alter table record_heads set (fillfactor = 70)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table record_heads reset (fillfactor)');
  await knex.raw(
    'create index concurrently record_heads_due on record_heads (next_check_at) where next_check_at is not null',
  );
}
