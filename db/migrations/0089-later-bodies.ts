// What only later bodies decide: settings that the accepted body does not fit, and whether a table has lost its last line end.
import type { Knex } from 'knex';
import { shortStep } from '../driver/short-locks.ts';

/** Each lock is held for one statement. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await shortStep(
    knex,
    `alter table record_heads
      -- The version of the settings whose header row and quoting wait for a later body.
      add column if not exists put_aside_version integer,
      -- Accepted bodies in a row without the line end that the table had before them.
      add column if not exists open_ended_run json`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table record_heads drop column put_aside_version, drop column open_ended_run');
}
