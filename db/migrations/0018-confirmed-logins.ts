// When a signed-in user last confirmed their password.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table login_sessions add column confirmed_at timestamptz`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table login_sessions drop column confirmed_at`);
}
