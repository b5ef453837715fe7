// Says that a record has not changed for some hours: to webhooks that ask for it, and in the feed if the record asks for it.
import { type Database, rawRows } from '../driver/knex.ts';
import { collectsAfter, FIRST_STATUS, firstAttemptAt } from './collecting.ts';
import { isoTime, NEW_DELIVERY_ID, newsSettings } from './new-deliveries.ts';
import { RECORDS_OF_WEBHOOK } from './selected-records.ts';

const RECORDS = `(
  select records.* from records where records.id = webhooks.record_id and records.deleted_at is null
  union all ${RECORDS_OF_WEBHOOK})`;

/** Since the snapshot, or since an earlier one of which it is another reading. */
const UNCHANGED_SINCE = 'coalesce(snapshots.unchanged_since, snapshots.created_at)';

/**
 * A record is quiet since its latest change. A good check has to say so: a record that is paused, fails or is held may have
 * changed meanwhile. A check that only reads the stored data under other settings, or accepts a held check, does not ask the
 * origin and says nothing. Refers to `records`, `heads` and `snapshots`.
 * @param hours SQL
 */
const isQuietFor = (
  hours: string,
): string => `records.status = 'active' and heads.last_outcome in ('changed', 'unchanged')
  and heads.last_checked_at >= ${UNCHANGED_SINCE} + ${hours} * interval '1 hour'
  and not exists (select from checks where checks.record_id = heads.record_id
    and checks.number = heads.check_number and checks.trigger in ('settings', 'accepted'))`;

/** Refers to `snapshot_id`, `since`, `last_checked_at` and `quiet_hours`. */
const EVENT_DATA = `json_build_object('snapshotId', snapshot_id, 'unchangedSince', ${isoTime('since')}, 'checkedAt',
  ${isoTime('last_checked_at')}, 'quietHours', quiet_hours)`;

/*
 * Both statements lock the heads, so that no change is committed before the event that it refutes. They skip a record that
 * another transaction works on: the next run looks at it. So they wait for feeds alone, in the order of the accounts.
 */

const TELL_WEBHOOKS = `
  with quiet as (
    select webhooks.id as webhook_id, records.id as record_id, snapshots.id as snapshot_id,
      ${UNCHANGED_SINCE} as since, heads.last_checked_at, webhooks.quiet_hours, ${newsSettings('records.id')} as settings
    from webhooks cross join lateral ${RECORDS} records
    join record_heads heads on heads.record_id = records.id
    join snapshots on snapshots.id = heads.snapshot_id
    left join quiet_notices told on told.webhook_id = webhooks.id and told.record_id = records.id
    where webhooks.enabled and 'record.quiet' = any (webhooks.event_types)
      and ${isQuietFor('webhooks.quiet_hours')}
      and told.since is distinct from ${UNCHANGED_SINCE}
    order by since limit :limit for no key update of heads skip locked
  ), noted as (
    insert into quiet_notices (webhook_id, record_id, since) select webhook_id, record_id, since from quiet
    on conflict (webhook_id, record_id) do update set since = excluded.since
    where quiet_notices.since <> excluded.since
    returning webhook_id, record_id
  ), ranked as (
    select quiet.*, row_number() over (partition by webhook_id order by since, record_id) as rank
    from noted join quiet using (webhook_id, record_id)
  ), owed as (
    select ranked.*, ${collectsAfter('rank - 1')} as collects from ranked join webhooks on webhooks.id = webhook_id
  )
  insert into deliveries (id, webhook_id, record_id, event_type, event_data, status, next_attempt_at, body_settings, created_at)
  select ${NEW_DELIVERY_ID}, webhook_id, record_id, 'record.quiet',
    ${EVENT_DATA}, ${FIRST_STATUS}, ${firstAttemptAt('now()')}, settings, last_checked_at
  from owed order by webhook_id, rank
  returning id, status`;

/**
 * Makes a delivery for each webhook and record that has become quiet, once until the record changes again. It is one statement:
 * a second or a concurrent run notifies nobody twice.
 * @returns the ids of the pending deliveries; the others wait for a digest
 */
export async function tellWebhooksOfQuiet(db: Database, limit: number): Promise<string[]> {
  const rows = await rawRows<{ id: string; status: string }>(db, TELL_WEBHOOKS, { limit });
  return rows.flatMap(({ id, status }) => (status === 'pending' ? [id] : []));
}

const TELL_FEEDS = `
  with quiet as (
    select records.id, snapshots.id as snapshot_id, ${UNCHANGED_SINCE} as since, heads.last_checked_at
    from records join record_heads heads on heads.record_id = records.id
    join snapshots on snapshots.id = heads.snapshot_id
    where records.quiet_hours is not null and records.deleted_at is null
      and ${isQuietFor('records.quiet_hours')}
      and records.quiet_told_since is distinct from ${UNCHANGED_SINCE}
    order by since limit :limit for no key update of records, heads skip locked
  ), noted as (
    update records set quiet_told_since = quiet.since from quiet
    where records.id = quiet.id and records.quiet_told_since is distinct from quiet.since
    returning records.id, records.account_id, quiet_hours, snapshot_id, since, last_checked_at
  )
  select add_to_feed(id, 'record.quiet', last_checked_at, null, ${EVENT_DATA})
  from (select * from noted order by account_id) in_order`;

/**
 * Adds an event to the feed for each record that has been quiet for its `quietHours`, once until the record changes again. It is
 * one statement: a second or a concurrent run adds none twice.
 */
export async function tellFeedsOfQuiet(db: Database, limit: number): Promise<void> {
  await rawRows(db, TELL_FEEDS, { limit });
}
