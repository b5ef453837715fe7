// A check that is held again after a rejection is no news in the feed either: it is what the person has rejected.
import type { Knex } from 'knex';

/** `held_since` is the time of the first check that is held for the same reason. */
const IS_NEWLY_HELD = 'old.held_since is distinct from new.held_since';

/** As 0045-feeds.ts made it, except for the condition. */
const feedNews = (isNewlyHeld: string): string => `
  create or replace function feed_news() returns trigger language plpgsql as $$
  declare
    made checks;
  begin
    -- Its own check: a transaction that commits a check changes the head once more at most.
    select * into made from checks where record_id = new.record_id and number = new.check_number;
    if not found then return null; end if;
    if new.failing_since is not null and old.failing_since is null then
      perform add_to_feed(new.record_id, 'check.failed', made.finished_at, null, json_build_object(
        'checkId', made.id, 'failingSince', new.failing_since,
        'error', json_build_object('code', made.error_code, 'detail', made.error_detail)));
    elsif new.failing_since is null and old.failing_since is not null then
      perform add_to_feed(new.record_id, 'check.recovered', made.finished_at, null, json_build_object(
        'checkId', made.id, 'failingSince', old.failing_since));
    end if;
    if new.held_check_id is not null and new.held_check_id is distinct from old.held_check_id
      and (${isNewlyHeld}) then
      perform add_to_feed(new.record_id, 'check.held', made.finished_at, null, json_build_object(
        'checkId', made.id, 'error', json_build_object('code', made.error_code, 'detail', made.error_detail)));
    end if;
    return null;
  end $$`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(feedNews(IS_NEWLY_HELD));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(feedNews(`old.held_check_id is null or ${IS_NEWLY_HELD}`));
}
