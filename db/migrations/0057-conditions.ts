// Conditions of webhooks, and for each delivery what its webhook's condition said.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table webhooks add column condition json');
  // Null without a condition. Deliveries that exist have none, and those of the earlier version get the default.
  await knex.raw('alter table deliveries add column condition_outcome text');
  await knex.raw(`alter table deliveries alter column condition_outcome set default 'unasked'`);
  // A process of the earlier version does not know conditions, and would send what a condition excludes.
  await knex.raw(`
    create function refuse_delivery_without_condition() returns trigger language plpgsql as $$
    begin
      if new.delta_event_id is not null
        and exists (select from webhooks where id = new.webhook_id and condition is not null)
      then
        raise exception 'The webhook has a condition, which this version does not know'
          using hint = 'Another try succeeds in a process of the current version.';
      end if;
      new.condition_outcome := null;
      return new;
    end $$`);
  await knex.raw(`
    create trigger deliveries_under_conditions before insert on deliveries for each row
    when (new.condition_outcome = 'unasked') execute function refuse_delivery_without_condition()`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger deliveries_under_conditions on deliveries');
  await knex.raw('drop function refuse_delivery_without_condition()');
  await knex.raw('alter table deliveries drop column condition_outcome');
  await knex.raw('alter table webhooks drop column condition');
}
