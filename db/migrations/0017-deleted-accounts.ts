// Accounts that are being deleted, and links that end with their user.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table accounts add column deleted_at timestamptz;
    create index accounts_deleted on accounts (deleted_at) where deleted_at is not null;
    alter table verifications add column kind text, add column user_id text references users on delete cascade;
    create index verifications_by_user on verifications (user_id, kind) where user_id is not null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table verifications drop column user_id, drop column kind;
    drop index accounts_deleted;
    alter table accounts drop column deleted_at`);
}
