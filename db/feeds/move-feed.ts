// Moves the events of a record to the feed of another account, with the record.
import { type Knex, rawRows } from '../driver/knex.ts';

/**
 * Call it in the transaction that moves the record, before the old account's feed is deleted. The events get the next
 * positions of the new feed, because its readers have not seen them.
 */
export async function moveFeedEvents(
  trx: Knex.Transaction,
  recordId: string,
  fromAccountId: string,
  toAccountId: string,
): Promise<void> {
  // A commit that already has a position in the old feed ends first; a later one finds the new feed.
  await rawRows(trx, 'select from feeds where account_id = ? for update', [fromAccountId]);
  await rawRows(
    trx,
    `with moving as (
       select position, row_number() over (order by position) as ordinal from feed_events
       where account_id = :fromAccountId and record_id = :recordId
     ), grown as (
       update feeds set position = position + (select count(*) from moving)
       where account_id = :toAccountId and exists (select from moving)
       returning old.position as before, pg_notify('feed_grew', account_id)
     )
     update feed_events set account_id = :toAccountId, position = grown.before + moving.ordinal, added_at = clock_timestamp()
     from moving, grown
     where feed_events.account_id = :fromAccountId and feed_events.position = moving.position`,
    { recordId, fromAccountId, toAccountId },
  );
}
