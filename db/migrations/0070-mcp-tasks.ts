// Tasks of MCP: tool calls that take long, and their results until clients fetch them.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table mcp_tasks (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      -- No other credential sees the task.
      credential_id text not null,
      record_id text not null references records on delete cascade,
      tool text not null,
      -- What a process needs to go on with it.
      arguments json not null,
      status text not null check (status in ('working', 'completed', 'cancelled')),
      result text,
      is_error boolean not null default false,
      -- Until then a process works on it. Null: none has to.
      leased_until timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      expires_at timestamptz not null,
      constraint mcp_tasks_result check ((result is not null) = (status = 'completed'))
    )`);
  await knex.raw('create index mcp_tasks_of_account on mcp_tasks (account_id, expires_at)');
  await knex.raw('create index mcp_tasks_of_record on mcp_tasks (record_id)');
  await knex.raw('create index mcp_tasks_by_end on mcp_tasks (expires_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table mcp_tasks');
}
