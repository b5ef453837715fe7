// The rules for columns that the rows of a snapshot were compared under, kept with it: a comparison of two snapshots of an earlier
// generation needs them.
import type { Knex } from 'knex';
import { shortStep } from '../driver/short-locks.ts';

/** The update must not hold the lock of the new column, which stops the service. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  // Without those of key columns, which have no effect. Null: none.
  await shortStep(knex, 'alter table snapshots add column if not exists rules jsonb');
  await shortStep(
    knex,
    `update snapshots set rules = heads.rules - heads.key_fields from record_heads heads
    where heads.rules <> '{}' and snapshots.record_id = heads.record_id and snapshots.generation = heads.generation`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table snapshots drop column rules');
}
