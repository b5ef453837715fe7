// Access and its limits: anonymous sessions, sealed source credentials, idempotency keys, counters.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ephemeral_sessions (
      id text primary key,
      -- A temporary account, which is deleted with the record.
      account_id text not null references accounts on delete cascade,
      record_id text not null unique references records on delete cascade,
      -- SHA-256 of the token; the token itself is not stored.
      token_hash bytea not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      -- Set when the record was deleted before the session expired. A kept record loses its session.
      ended_at timestamptz
    )`);
  await knex.raw('create index ephemeral_sessions_by_end on ephemeral_sessions (expires_at)');
  // Temporary accounts are deleted often, and each deletion looks for rows that refer to them.
  await knex.raw('create index ephemeral_sessions_by_account on ephemeral_sessions (account_id)');
  await knex.raw('drop index records_by_account');
  await knex.raw('create index records_by_account on records (account_id, id desc)');
  // Counts the anonymous records that watch one host, on any port.
  await knex.raw(`
    create index records_anonymous_host on records (substring(url from '://(\\[[^]]*]|[^/:]+)'))
      where tier = 'anonymous' and deleted_at is null`);

  await knex.raw(`
    alter table records
      add column auth_type text not null default 'none'
        check (auth_type in ('none', 'basic', 'bearer', 'api_key_header', 'api_key_query')),
      -- Counts changes of the credentials, because an origin may respond differently to each.
      add column auth_version integer not null default 0`);
  await knex.raw(`
    create table source_credentials (
      record_id text primary key references records on delete cascade,
      -- scheme://host:port that the secret may be sent to. The sealed value is bound to it too.
      origin text not null,
      -- The fields of the record's auth_type as JSON, sealed for the record's account (core/crypto/envelope.ts).
      sealed bytea not null
    )`);

  // Finds an account's tier: two probes of this index, however many records it has.
  await knex.raw('create index records_by_tier on records (account_id, tier) where deleted_at is null');

  // Lists of keys: those of an account, without those of its records, and those of one record.
  await knex.raw(
    'create index api_keys_of_account on api_keys (account_id, id desc) where record_id is null',
  );
  await knex.raw('drop index api_keys_by_record');
  await knex.raw(
    'create index api_keys_by_record on api_keys (record_id, id desc) where record_id is not null',
  );

  await knex.raw(`
    create table idempotency_keys (
      credential_id text not null,
      key text not null,
      -- Keyed hash of operation, path and body: a repeat must be the same request, and bodies contain secrets.
      request_hash bytea not null,
      -- The process that stores the response; another one takes over after the first must have died.
      claim_id text not null,
      -- Null while the first request is running.
      status integer,
      -- The response without its secrets.
      answer text,
      created_at timestamptz not null default now(),
      primary key (credential_id, key)
    )`);
  await knex.raw('create index idempotency_keys_by_age on idempotency_keys (created_at)');

  // Counters with an exact limit (sessions per address and hour, MCP calls per day): one statement takes one, and refuses it
  // beyond the limit, in any process.
  await knex.raw(`
    create table usage_counters (
      subject text not null,
      -- When the hour or the day began; infinity for a count without a period.
      period timestamptz not null,
      used integer not null,
      primary key (subject, period)
    )`);
  await knex.raw('create index usage_counters_by_age on usage_counters (period)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index api_keys_of_account');
  await knex.raw('drop index api_keys_by_record');
  await knex.raw('create index api_keys_by_record on api_keys (record_id) where record_id is not null');
  for (const index of ['records_by_account', 'records_by_tier', 'records_anonymous_host']) {
    await knex.raw('drop index ??', [index]);
  }
  await knex.raw('create index records_by_account on records (account_id, id desc) where deleted_at is null');
  for (const table of ['usage_counters', 'idempotency_keys', 'source_credentials', 'ephemeral_sessions']) {
    await knex.raw('drop table ??', [table]);
  }
  await knex.raw('alter table records drop column auth_type, drop column auth_version');
}
