// The feed of an account: the events of all its records, at positions in the order of their commits. Deferred triggers write it
// at the end of the transactions that commit checks, whichever version of the product runs them.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await createTables(knex);
  await knex.raw(ADD_TO_FEED);
  for (const body of [FEED_DELTA, FEED_NEWS, OPEN_FEED]) await knex.raw(body);
  await knex.raw(
    `create trigger accounts_feed after insert on accounts for each row execute function open_feed()`,
  );
  await knex.raw('insert into feeds (account_id) select id from accounts on conflict do nothing');
  await knex.raw(`
    create constraint trigger delta_events_feed after insert on delta_events deferrable initially deferred
    for each row when (not new.is_no_change) execute function feed_delta()`);
  // A body that is held again is no news: it is still the drop that was told.
  await knex.raw(`
    create constraint trigger record_heads_feed after update on record_heads deferrable initially deferred
    for each row when (
      (old.failing_since is null) <> (new.failing_since is null)
      or (new.held_check_id is not null and new.held_check_id is distinct from old.held_check_id
        and (old.held_check_id is null or old.held_since is distinct from new.held_since)))
    execute function feed_news()`);
}

async function createTables(knex: Knex): Promise<void> {
  // Each commit with an event updates its account's row: the free room keeps the new version on its page.
  await knex.raw(`
    create table feeds (
      account_id text primary key references accounts on delete cascade,
      -- Of the latest event.
      position bigint not null default 0,
      -- Of the last event that retention has deleted.
      kept_after bigint not null default 0,
      -- Part of every cursor: one of another feed does not fit.
      tag uuid not null default gen_random_uuid()
    ) with (fillfactor = 50)`);
  // No foreign keys, as in row_versions: db/upkeep deletes the rows of an erased record.
  await knex.raw(`
    create table feed_events (
      account_id text not null,
      position bigint not null,
      record_id text not null,
      type text not null check (type in ('delta', 'check.failed', 'check.recovered', 'check.held')),
      happened_at timestamptz not null,
      added_at timestamptz not null default clock_timestamp(),
      delta_event_id text,
      data json not null,
      primary key (account_id, position)
    )`);
  await knex.raw('create index feed_events_of_record on feed_events (record_id, position)');
  await knex.raw('create index feed_events_by_age on feed_events (added_at, position)');
}

/**
 * Takes the next position under the lock on the feed, which lasts until the transaction has committed. So no later position
 * is ever visible before an earlier one.
 */
const ADD_TO_FEED = `
  create function add_to_feed(record text, kind text, happened timestamptz, event text, body json)
  returns void language plpgsql as $$
  declare
    owner text;
    before text;
    place bigint;
  begin
    loop
      select account_id into owner from records where id = record;
      -- Without a record or a feed, both are being erased. A record that was moved meanwhile has another feed.
      if not found or owner = before then return; end if;
      update feeds set position = position + 1 where account_id = owner returning position into place;
      exit when found;
      before := owner;
    end loop;
    insert into feed_events (account_id, position, record_id, type, happened_at, delta_event_id, data)
    values (owner, place, record, kind, happened, event, body);
    perform pg_notify('feed_grew', owner);
  end $$`;

const FEED_DELTA = `
  create function feed_delta() returns trigger language plpgsql as $$
  begin
    perform add_to_feed(new.record_id, 'delta', new.detected_at, new.id, json_build_object(
      'snapshotId', new.snapshot_id, 'newCount', new.new_count, 'changedCount', new.changed_count,
      'deletedCount', new.deleted_count, 'unchangedCount', new.unchanged_count, 'totalCount', new.total_count));
    return null;
  end $$`;

const FEED_NEWS = `
  create function feed_news() returns trigger language plpgsql as $$
  declare
    made checks;
  begin
    -- Its own check: a transaction that commits a check changes the head once more at most.
    select * into made from checks where record_id = new.record_id and number = new.check_number;
    if not found then return null; end if;
    if new.failing_since is not null and old.failing_since is null then
      perform add_to_feed(new.record_id, 'check.failed', made.finished_at, null, json_build_object(
        'checkId', made.id, 'failingSince', new.failing_since,
        'error', json_build_object('code', made.error_code, 'detail', made.error_detail)));
    elsif new.failing_since is null and old.failing_since is not null then
      perform add_to_feed(new.record_id, 'check.recovered', made.finished_at, null, json_build_object(
        'checkId', made.id, 'failingSince', old.failing_since));
    end if;
    if new.held_check_id is not null and new.held_check_id is distinct from old.held_check_id
      and (old.held_check_id is null or old.held_since is distinct from new.held_since) then
      perform add_to_feed(new.record_id, 'check.held', made.finished_at, null, json_build_object(
        'checkId', made.id, 'error', json_build_object('code', made.error_code, 'detail', made.error_detail)));
    end if;
    return null;
  end $$`;

const OPEN_FEED = `
  create function open_feed() returns trigger language plpgsql as $$
  begin
    insert into feeds (account_id) values (new.id) on conflict do nothing;
    return null;
  end $$`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger delta_events_feed on delta_events');
  await knex.raw('drop trigger record_heads_feed on record_heads');
  await knex.raw('drop trigger accounts_feed on accounts');
  for (const name of ['feed_delta', 'feed_news', 'open_feed']) await knex.raw(`drop function ${name}()`);
  await knex.raw('drop function add_to_feed(text, text, timestamptz, text, json)');
  await knex.raw('drop table feed_events');
  await knex.raw('drop table feeds');
}
