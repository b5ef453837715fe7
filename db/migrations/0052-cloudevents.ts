// Webhooks whose bodies are CloudEvents.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table webhooks add column format text not null default 'json' check (format in ('json', 'cloudevents'))`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhooks drop column format');
}
