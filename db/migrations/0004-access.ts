// Who may come in and how often: ephemeral sessions, sealed source credentials, repeated requests, counters.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ephemeral_sessions (
      id text primary key,
      -- A throwaway account, which goes with the record.
      account_id text not null references accounts on delete cascade,
      record_id text not null unique references records on delete cascade,
      -- SHA-256 of the token; the token itself is stored nowhere.
      token_hash bytea not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      -- Set when the record was deleted before the session was over. A record that is kept takes no session along.
      ended_at timestamptz
    )`);
  await knex.raw('create index ephemeral_sessions_by_end on ephemeral_sessions (expires_at)');
  // Throwaway accounts are deleted all the time, and what refers to them is looked for each time.
  await knex.raw('create index ephemeral_sessions_by_account on ephemeral_sessions (account_id)');
  await knex.raw('drop index records_by_account');
  await knex.raw('create index records_by_account on records (account_id, id desc)');
  // How many anonymous records watch one host, whatever its port.
  await knex.raw(`
    create index records_anonymous_host on records (substring(url from '://(\\[[^]]*]|[^/:]+)'))
      where tier = 'anonymous' and deleted_at is null`);

  await knex.raw(`
    alter table records
      add column auth_type text not null default 'none'
        check (auth_type in ('none', 'basic', 'bearer', 'api_key_header', 'api_key_query')),
      -- Counts changes of the credentials: what an origin answered to one it need not answer to another.
      add column auth_version integer not null default 0`);
  await knex.raw(`
    create table source_credentials (
      record_id text primary key references records on delete cascade,
      -- scheme://host:port that the secret may be sent to; bound into the sealed value as well.
      origin text not null,
      -- The fields of the record's auth_type as JSON, sealed for the record's account (core/crypto/envelope.ts).
      sealed bytea not null
    )`);

  // Which tier counts for an account: two probes of this index, however many records it has.
  await knex.raw('create index records_by_tier on records (account_id, tier) where deleted_at is null');

  // Lists of keys: those of the account itself, however many its records have, and those of a record.
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
      -- Of operation, path and body: a repeat must be the same request. Keyed, because bodies hold secrets.
      request_hash bytea not null,
      -- Whose it is to write down the answer: another one's once the first must have died.
      claim_id text not null,
      -- Null while the first request still runs.
      status integer,
      -- The answer, without the secrets that it showed.
      answer text,
      created_at timestamptz not null default now(),
      primary key (credential_id, key)
    )`);
  await knex.raw('create index idempotency_keys_by_age on idempotency_keys (created_at)');

  // What is promised as a count (sessions per address and hour, MCP calls per day): one statement takes one and
  // refuses what is too many, whichever process asks.
  await knex.raw(`
    create table usage_counters (
      subject text not null,
      -- When the hour or the day began; infinity for a count that never begins anew.
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
