// Accounts, the data keys that seal their secrets, and API keys.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table accounts (
      id text primary key,
      name text not null,
      -- The account's data key, wrapped by the key-encryption key named in it (core/crypto/envelope.ts).
      wrapped_data_key bytea not null,
      created_at timestamptz not null default now()
    )`);
  await knex.raw(`
    create table api_keys (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      record_id text,
      kind text not null check (kind in ('account', 'record')),
      scope text not null check (scope in ('full', 'read', 'download')),
      name text not null,
      -- SHA-256 of the key; the key itself is not stored.
      hash bytea not null unique,
      prefix text not null,
      last4 text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      expires_at timestamptz,
      revoked_at timestamptz,
      check ((kind = 'record') = (record_id is not null)),
      check (kind = 'account' or scope <> 'full')
    )`);
  await knex.raw('create index api_keys_by_account on api_keys (account_id, id desc)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table api_keys');
  await knex.raw('drop table accounts');
}
