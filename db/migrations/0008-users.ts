// People who sign in: users, their passwords, their sessions, and links that work once.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      email text not null unique check (email = lower(email)),
      name text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`);
  await knex.raw('create index users_by_account on users (account_id)');
  await knex.raw(`
    create table login_methods (
      id text primary key,
      user_id text not null references users on delete cascade,
      kind text not null check (kind in ('credential')),
      -- An argon2id PHC string.
      password_hash text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (user_id, kind)
    )`);
  await knex.raw(`
    create table login_sessions (
      id text primary key,
      user_id text not null references users on delete cascade,
      -- SHA-256 of the token in the browser's cookie, which is not stored.
      token_hash bytea not null unique,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      -- Extended by use, up to a maximum after created_at.
      expires_at timestamptz not null,
      address text not null,
      user_agent text not null
    )`);
  await knex.raw('create index login_sessions_by_user on login_sessions (user_id, id desc)');
  await knex.raw('create index login_sessions_by_end on login_sessions (expires_at)');
  // Links in mails: to sign in, to finish a sign-up, to set a new password.
  await knex.raw(`
    create table verifications (
      id text primary key,
      -- SHA-256 of the link's purpose and token, which is not stored.
      identifier_hash bytea not null,
      -- The link's subject: a user, or the data of a sign-up, which creates nothing until it is confirmed.
      value text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`);
  await knex.raw('create index verifications_by_identifier on verifications (identifier_hash)');
  await knex.raw('create index verifications_by_end on verifications (expires_at)');
  await knex.raw(`
    create table dashboard_tokens (
      -- SHA-256 of the token, which is not stored.
      hash bytea primary key,
      -- Deleted with it.
      session_id text not null references login_sessions on delete cascade,
      expires_at timestamptz not null
    )`);
  await knex.raw('create index dashboard_tokens_by_session on dashboard_tokens (session_id)');
}

export async function down(knex: Knex): Promise<void> {
  const tables = ['dashboard_tokens', 'verifications', 'login_sessions', 'login_methods', 'users'];
  for (const table of tables) await knex.raw('drop table ??', [table]);
}
