// Deletes events of feeds that are older than feeds keep them.
import { type Database, rawRows } from '../driver/knex.ts';

/** Shorter than the history of any tier, so an event that an account's feed still has is whole. */
const FEED_DAYS = 29;

/**
 * Deletes at most `limit` events, the oldest first, and notes in each feed up to which position they are gone.
 * @returns how many were deleted; 0 when there is nothing left to do
 */
export async function deleteOldFeedEvents(db: Database, limit: number): Promise<number> {
  const [row] = await rawRows<{ deleted: number }>(
    db,
    `with old_events as (
       delete from feed_events where ctid = any(array(
         select ctid from feed_events where added_at < now() - :days * interval '1 day'
         order by added_at, position limit :limit))
       returning account_id, position
     ), edges as (
       select account_id, max(position) as position from old_events group by account_id
     ), noted as (
       update feeds set kept_after = greatest(kept_after, edges.position) from edges
       where feeds.account_id = edges.account_id
     )
     select count(*) as deleted from old_events`,
    { limit, days: FEED_DAYS },
  );
  return row?.deleted ?? 0;
}
