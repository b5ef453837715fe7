// Records, their heads, and what checks write: checks, snapshots, delta events, row versions.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table records (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      slug text not null,
      name text not null,
      url text not null,
      tier text not null check (tier in ('anonymous', 'free', 'watch', 'max')),
      status text not null default 'active' check (status in ('active', 'paused')),
      -- null: detected from the origin's response
      format text check (format in ('csv', 'tsv', 'jsonl', 'json')),
      delimiter text,
      rows_path text,
      key_fields text[],
      ignore_fields text[] not null default '{}',
      check_interval_seconds double precision not null check (check_interval_seconds > 0),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      -- Hidden from everybody at once; the record's workflow erases its data in bounded steps.
      deleted_at timestamptz
    )`);
  await knex.raw('create unique index records_slug on records (account_id, slug) where deleted_at is null');
  await knex.raw('create index records_by_account on records (account_id, id desc) where deleted_at is null');
  await knex.raw('create index records_deleted on records (deleted_at) where deleted_at is not null');
  await knex.raw(
    'alter table api_keys add constraint api_keys_record foreign key (record_id) references records on delete cascade',
  );
  await knex.raw('create index api_keys_by_record on api_keys (record_id) where record_id is not null');

  // One row per record, in a table of its own: a commit locks it for long, and inserting keys or webhooks, which locks the
  // records row through their foreign key, must not wait for it.
  await knex.raw(`
    create table record_heads (
      record_id text primary key references records on delete cascade,
      -- A short id of the record for row_versions, which repeats it in each row.
      record_no bigint generated always as identity unique,
      check_number integer not null default 0,
      event_number integer not null default 0,
      generation integer not null default 1,
      sequence integer not null default 0,
      snapshot_id text,
      total_rows bigint not null default 0,
      columns text[] not null default '{}',
      key_fields text[] not null default '{}',
      key_source text check (key_source in ('given', 'detected')),
      key_evidence json,
      dialect json,
      body_sha256 text,
      body_bytes bigint,
      -- Hash of the URL that sent these validators (core/crypto/url-hash.ts): they are valid for it only.
      validated_url_hash text,
      etag text,
      last_modified text,
      held_rows bigint,
      held_sha256 text,
      last_checked_at timestamptz,
      last_outcome text,
      -- Why the last check failed or was held; null after a successful one.
      last_error_code text,
      last_error_detail text,
      consecutive_failures integer not null default 0,
      next_check_at timestamptz
    )`);
  await knex.raw(
    'create index record_heads_due on record_heads (next_check_at) where next_check_at is not null',
  );

  await knex.raw(`
    create table checks (
      id text primary key,
      record_id text not null references records on delete cascade,
      number integer not null,
      trigger text not null check (trigger in ('schedule', 'manual', 'created')),
      started_at timestamptz not null,
      finished_at timestamptz not null,
      outcome text not null check (outcome in ('changed', 'unchanged', 'held', 'failed')),
      http_status integer,
      bytes bigint,
      rows bigint,
      snapshot_id text,
      delta_event_id text,
      error_code text,
      error_detail text,
      warnings json not null default '[]',
      unique (record_id, number)
    )`);

  await knex.raw(`
    create table snapshots (
      id text primary key,
      record_id text not null references records on delete cascade,
      generation integer not null,
      sequence integer not null,
      created_at timestamptz not null,
      total_rows bigint not null,
      columns text[] not null,
      bytes bigint not null,
      content_hash text not null,
      unique (record_id, sequence)
    )`);

  await knex.raw(`
    create table delta_events (
      id text primary key,
      record_id text not null references records on delete cascade,
      number integer not null,
      check_id text not null unique,
      snapshot_id text not null,
      previous_snapshot_id text,
      generation integer not null,
      sequence integer not null,
      detected_at timestamptz not null,
      is_no_change boolean not null,
      new_count bigint not null default 0,
      changed_count bigint not null default 0,
      deleted_count bigint not null default 0,
      unchanged_count bigint not null,
      total_count bigint not null,
      -- The first 100 keys of each kind; the others are read from row_versions.
      new_keys text[] not null default '{}',
      changed_keys text[] not null default '{}',
      deleted_keys text[] not null default '{}',
      schema_change json,
      rekeyed boolean not null default false,
      unique (record_id, number)
    )`);
  await knex.raw(
    'create index delta_events_changes on delta_events (record_id, number) where not is_no_change',
  );
  await knex.raw('create index delta_events_by_time on delta_events (record_id, detected_at)');

  // A type-2 slowly changing dimension: one line per row and value, with the first and last sequence of the snapshots that
  // contain it. last_seq null: the latest snapshot contains it. Unchanged rows are never rewritten. json, not jsonb, keeps
  // 1e2, -0 and 10000000000000000999 as the origin wrote them.
  await knex.raw(`
    create table row_versions (
      record_no bigint not null,
      generation integer not null,
      row_key text collate "C" not null,
      first_seq integer not null,
      last_seq integer,
      row_hash bytea not null,
      data json not null,
      primary key (record_no, generation, row_key, first_seq)
    )`);
  await knex.raw(
    'create index row_versions_opened on row_versions (record_no, generation, first_seq, row_key)',
  );
  await knex.raw(`
    create index row_versions_closed on row_versions (record_no, generation, last_seq, row_key)
      where last_seq is not null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index api_keys_by_record');
  await knex.raw('alter table api_keys drop constraint api_keys_record');
  for (const table of ['row_versions', 'delta_events', 'snapshots', 'checks', 'record_heads', 'records']) {
    await knex.raw('drop table ??', [table]);
  }
}
