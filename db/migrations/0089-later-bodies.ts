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
  // An earlier version put such settings aside without a note.
  await shortStep(
    knex,
    `update record_heads heads set put_aside_version = records.dialect_version
    from records
    where records.id = heads.record_id and heads.put_aside_version is null and heads.snapshot_id is not null
      and heads.dialect_version <> records.dialect_version
      and heads.header_row is not distinct from records.header_row and heads.quoting = records.quoting
      and heads.dialect ->> 'delimiter' is not null
      and (heads.quoting <> coalesce(heads.dialect ->> 'quoting', 'double')
        or heads.header_row <> coalesce((heads.dialect ->> 'headerRow')::integer, 1))`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table record_heads drop column put_aside_version, drop column open_ended_run');
}
