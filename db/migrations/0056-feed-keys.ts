// API keys that only read the Atom feed.
import type { Knex } from 'knex';

const allow = (scopes: string): string => `
  alter table api_keys drop constraint api_keys_scope_check,
    add constraint api_keys_scope_check check (scope in (${scopes}))`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(allow(`'full', 'read', 'download', 'feed'`));
}

/** Without their scope, these keys would permit nothing. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from api_keys where scope = 'feed'`);
  await knex.raw(allow(`'full', 'read', 'download'`));
}
