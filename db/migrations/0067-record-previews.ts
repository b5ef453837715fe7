// Previews of records that do not exist yet: requests of the API that a worker answers by fetching a URL.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table record_previews (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      settings json not null,
      -- Source credentials, sealed for the id of the preview; null without any.
      sealed bytea,
      -- Null until the worker answers.
      result json,
      created_at timestamptz not null default now()
    )`);
  await knex.raw('create index record_previews_by_account on record_previews (account_id)');
  await knex.raw('create index record_previews_by_age on record_previews (created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table record_previews');
}
