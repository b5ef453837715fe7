// Requests of programs for an API key of an account, which a person allows or refuses in the dashboard.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table key_requests (
      id text primary key,
      secret_hash bytea not null unique,
      user_code text not null unique,
      -- Its name and address, as the person sees them.
      machine text not null,
      address text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      -- How long the program waits between two questions, and when it asked last.
      interval_seconds integer not null default 5,
      asked_at timestamptz,
      -- The person's answer; null: none yet.
      is_allowed boolean,
      account_id text references accounts on delete cascade,
      -- The login or the key of the person.
      approver_id text,
      scope text check (scope in ('full', 'read')),
      check ((is_allowed is true) = (account_id is not null and approver_id is not null and scope is not null))
    )`);
  await knex.raw(
    'create index key_requests_by_account on key_requests (account_id) where account_id is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table key_requests');
}
