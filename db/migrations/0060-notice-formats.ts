// Webhooks whose bodies are messages for people: for chats, and mails.
import type { Knex } from 'knex';

/** The constraint is replaced, and checked without a lock that stops writes. */
const allow = (formats: string): string => `
  alter table webhooks drop constraint webhooks_format_check;
  alter table webhooks add constraint webhooks_format_check check (format in (${formats})) not valid;
  alter table webhooks validate constraint webhooks_format_check`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(allow(`'json', 'cloudevents', 'slack', 'teams', 'discord', 'ntfy', 'mail'`));
}

/** The version before could not send these. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from webhooks where format not in ('json', 'cloudevents')`);
  await knex.raw(allow(`'json', 'cloudevents'`));
}
