// Since when a body is held, so that a body fetched at the same moment does not confirm it; and stored bodies that no head
// refers to, so that unused ones are found without listing the store.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table record_heads
      -- When the first of the consecutive held bodies with about as many rows was held. Unused while none is held.
      add column held_since timestamptz`);
  await knex.raw(`update record_heads set held_since = last_checked_at where held_rows is not null`);
  // Without a foreign key: a body may be stored while its record is being erased.
  await knex.raw(`
    create table loose_bodies (
      record_id text not null,
      sha256 text not null,
      -- When storing it began, or when the head stopped referring to it.
      loose_since timestamptz not null default now(),
      primary key (record_id, sha256)
    )`);
  await knex.raw('create index loose_bodies_by_age on loose_bodies (loose_since)');
  // A trigger, so that it runs in the transaction that replaces a body, whichever statement that is: a worker may die before
  // it removes the old body.
  await knex.raw(`
    create function note_loose_bodies() returns trigger language plpgsql as $$
    begin
      insert into loose_bodies (record_id, sha256)
      select distinct old.record_id, before.sha256
      from unnest(array[old.body_sha256, old.held_sha256]) as before(sha256)
      where before.sha256 is not null and before.sha256 is distinct from new.body_sha256
        and before.sha256 is distinct from new.held_sha256
      on conflict (record_id, sha256) do update set loose_since = now();
      return null;
    end $$`);
  await knex.raw(`
    create trigger record_heads_loose_bodies after update of body_sha256, held_sha256 on record_heads
    for each row when (old.body_sha256 is distinct from new.body_sha256 or old.held_sha256 is distinct from new.held_sha256)
    execute function note_loose_bodies()`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger record_heads_loose_bodies on record_heads');
  await knex.raw('drop function note_loose_bodies()');
  await knex.raw('drop table loose_bodies');
  await knex.raw('alter table record_heads drop column held_since');
}
