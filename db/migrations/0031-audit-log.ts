// Who changed what in an account, when, and from where.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_entries (
      -- By time, so that pages and the retention need no index on created_at.
      id text primary key,
      account_id text not null references accounts on delete cascade,
      created_at timestamptz not null default now(),
      -- Repeated actions within an hour share an entry, whose merge_key is the same.
      last_at timestamptz not null default now(),
      count integer not null default 1,
      merge_key text,
      action text not null,
      actor_type text not null,
      actor_id text,
      actor_name text,
      target_id text not null,
      target_name text,
      door text not null,
      ip text,
      user_agent text,
      request_id text,
      changes json
    );
    create index audit_entries_by_account on audit_entries (account_id, id desc);
    create unique index audit_entries_merge_key on audit_entries (merge_key) where merge_key is not null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table audit_entries');
}
