// Webhooks of an account: for all of its records, for those with given labels, or for a list of them.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhooks
      alter column record_id drop not null,
      -- Null for the webhook of a record. The version before finds webhooks by their record, so it sees no others.
      add column account_id text references accounts on delete cascade,
      -- Which records of the account; null for the webhook of a record.
      add column selects text check (selects in ('all', 'labels', 'list')),
      -- The labels that a record must have, all of them.
      add column labels jsonb,
      add constraint webhooks_owner check ((record_id is null) = (account_id is not null)),
      add constraint webhooks_selects check ((account_id is null) = (selects is null)),
      add constraint webhooks_labels check ((labels is not null) = (selects is not distinct from 'labels'))`);
  await knex.raw(
    'create index webhooks_by_account on webhooks (account_id, id desc) where account_id is not null',
  );
  // The lists. A record that is erased leaves them.
  await knex.raw(`
    create table webhook_records (
      webhook_id text not null references webhooks on delete cascade,
      record_id text not null references records on delete cascade,
      primary key (webhook_id, record_id)
    )`);
  await knex.raw('create index webhook_records_of_record on webhook_records (record_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table webhook_records');
  await knex.raw('delete from webhooks where account_id is not null');
  await knex.raw('drop index webhooks_by_account');
  await knex.raw(`
    alter table webhooks
      drop constraint webhooks_labels,
      drop constraint webhooks_selects,
      drop constraint webhooks_owner,
      drop column labels,
      drop column selects,
      drop column account_id,
      alter column record_id set not null`);
}
