// Clients that people connect to their account through OAuth, and the objects of the authorization server.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table connected_clients (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      -- The client's id at the authorization server: one of ours, or the URL of the client's own document.
      client_id text not null,
      name text not null,
      -- The grant of its tokens.
      grant_id text not null unique,
      scope text not null check (scope in ('full', 'read', 'download')),
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`);
  await knex.raw('create index connected_clients_by_account on connected_clients (account_id, id desc)');
  await knex.raw(`
    create table oauth_objects (
      kind text not null,
      -- SHA-256 of the id. The id of a code, token or cookie is the secret itself, which is not stored.
      id_hash bytea not null,
      -- The payload of the authorization server's library, without the id.
      payload json not null,
      grant_id text,
      -- For browser sessions: SHA-256 of the uid.
      uid_hash bytea,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      consumed_at timestamptz,
      primary key (kind, id_hash)
    )`);
  await knex.raw(
    'create index oauth_objects_by_grant on oauth_objects (grant_id) where grant_id is not null',
  );
  await knex.raw('create index oauth_objects_by_uid on oauth_objects (uid_hash) where uid_hash is not null');
  await knex.raw(
    'create index oauth_objects_by_end on oauth_objects (expires_at) where expires_at is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['oauth_objects', 'connected_clients']) await knex.raw('drop table ??', [table]);
}
