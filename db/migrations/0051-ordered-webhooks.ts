// Webhooks that get the events of a record in their order, one at a time.
import type { Knex } from 'knex';
import { dropInvalid, shortStep } from '../driver/short-locks.ts';

/** Building the index must not hold up the deliveries of a running system. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await shortStep(
    knex,
    `alter table webhooks
      add column if not exists ordered boolean not null default false,
      add column if not exists on_failure text not null default 'block' check (on_failure in ('block', 'skip'))`,
  );
  // The number of the check that the event belongs to; null for a delivery that waits for no other.
  await shortStep(knex, 'alter table deliveries add column if not exists line_position integer');
  await dropInvalid(knex, 'deliveries_in_line');
  await knex.raw(`
    create index concurrently if not exists deliveries_in_line
    on deliveries (webhook_id, record_id, status, line_position, id)
    where line_position is not null and status in ('pending', 'failed')`);
  // Who may send the deliveries of a record to an ordered webhook, and until when. The free room keeps updates within a page.
  await shortStep(
    knex,
    `create table if not exists delivery_turns (
      webhook_id text not null references webhooks on delete cascade,
      record_id text not null references records on delete cascade,
      delivery_id text not null,
      until timestamptz not null,
      primary key (webhook_id, record_id)
    ) with (fillfactor = 50)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table delivery_turns');
  await knex.raw('drop index concurrently deliveries_in_line');
  await knex.raw('alter table deliveries drop column line_position');
  await knex.raw('alter table webhooks drop column ordered, drop column on_failure');
}
