// Unchanged checks that say nothing else, in one short row each instead of a check and an event.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // No foreign key, as in row_versions: db/upkeep/retention.ts deletes the rows of an erased record.
  await knex.raw(`
    create table unchanged_checks (
      -- The digits of the check's id and of its event's id.
      id uuid primary key,
      record_no bigint not null,
      started_at timestamptz not null,
      finished_at timestamptz not null,
      bytes bigint,
      number integer not null,
      event_number integer not null,
      -- The snapshot that the data are still equal to. Its rows are those of the check.
      sequence integer not null,
      http_status smallint not null,
      trigger text not null check (trigger in ('schedule', 'manual', 'created')),
      unique (record_no, event_number)
    )`);
  // A check is in one of the two tables. Statements that commit it under the lock of its record's head look for it in both,
  // but as it was when they began; a trigger sees what was committed meanwhile. It also sees what workers of the earlier
  // version commit, which do not know this table.
  await knex.raw(`
    create function refuse_second_check() returns trigger language plpgsql as $$
    declare
      is_there boolean;
    begin
      if tg_table_name = 'checks' then
        is_there := new.id ~ '^chk_[0-9a-f]{32}$' and exists (
          select from unchanged_checks where unchanged_checks.id = substr(new.id, 5)::uuid);
      else
        is_there := exists (select from checks where checks.id = 'chk_' || replace(new.id::text, '-', ''));
      end if;
      if is_there then
        raise unique_violation using constraint = 'checks_pkey', message = 'the check ' || new.id || ' is already committed';
      end if;
      return new;
    end $$`);
  for (const table of ['checks', 'unchanged_checks']) {
    await knex.raw(
      `create trigger one_row_per_check before insert on ?? for each row execute function refuse_second_check()`,
      [table],
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger one_row_per_check on checks');
  const unchanged = `
    from (
      select unchanged_checks.*, replace(id::text, '-', '') as digits from unchanged_checks
    ) short
    join record_heads using (record_no)
    join snapshots on snapshots.record_id = record_heads.record_id and snapshots.sequence = short.sequence`;
  await knex.raw(`
    insert into delta_events (id, record_id, number, check_id, snapshot_id, previous_snapshot_id, generation, sequence,
      detected_at, is_no_change, unchanged_count, total_count)
    select 'evt_' || digits, snapshots.record_id, short.event_number, 'chk_' || digits, snapshots.id, snapshots.id,
      snapshots.generation, short.sequence, finished_at, true, snapshots.total_rows, snapshots.total_rows
    ${unchanged}`);
  await knex.raw(`
    insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
      snapshot_id, delta_event_id)
    select 'chk_' || digits, snapshots.record_id, short.number, trigger, started_at, finished_at, 'unchanged', http_status,
      short.bytes, snapshots.total_rows, snapshots.id, 'evt_' || digits
    ${unchanged}`);
  await knex.raw('drop table unchanged_checks');
  await knex.raw('drop function refuse_second_check()');
}
