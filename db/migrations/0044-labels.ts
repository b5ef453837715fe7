// Labels of records, and a table by which records with a label are found.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table records add column labels jsonb not null default '{}'`);
  await knex.raw(`
    create table record_labels (
      account_id text not null,
      name text not null,
      value text not null,
      record_id text not null references records on delete cascade,
      primary key (account_id, name, value, record_id)
    )`);
  await knex.raw('create index record_labels_of_record on record_labels (record_id)');
  await knex.raw(`
    create function list_labels() returns trigger language plpgsql as $$
    begin
      delete from record_labels where record_id = new.id;
      insert into record_labels (account_id, name, value, record_id)
      select new.account_id, key, value, new.id from jsonb_each_text(new.labels);
      return null;
    end $$`);
  await knex.raw(`
    create trigger records_labels after insert on records for each row when (new.labels <> '{}')
    execute function list_labels()`);
  await knex.raw(`
    create trigger records_labels_change after update of labels, account_id on records for each row
    when (old.labels <> new.labels or (old.account_id <> new.account_id and new.labels <> '{}'))
    execute function list_labels()`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger records_labels on records');
  await knex.raw('drop trigger records_labels_change on records');
  await knex.raw('drop function list_labels()');
  await knex.raw('drop table record_labels');
  await knex.raw('alter table records drop column labels');
}
