// Deleting what retention says, and erasing deleted records: every statement bounded, so none holds locks for long.
import { removeSession } from '../access/ephemeral-sessions.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';

/** Records of a tier that may have history older than the cutoff, by id, after the given one. */
export async function listRecordsOfTier(
  db: Database,
  tier: string,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    'select id from records where tier = ? and id > ? and deleted_at is null order by id limit ?',
    [tier, afterId, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Events and checks older than the retention, except for the latest of each, and the check of the latest event: its
 * deliveries go with it. Both walk their numbers from the
 * oldest, so a statement reads no more lines than it may delete. Deliveries and attempts go with their event.
 */
const PRUNE_RESULTS = `
  with head as (
    select record_id, event_number, check_number from record_heads where record_id = :recordId
  ), old_events as (
    delete from delta_events where id in (
      select id from (
        select id, detected_at from delta_events
        where record_id = :recordId and number < (select event_number from head) order by number limit :limit
      ) oldest where detected_at < now() - :days * interval '1 day')
    returning 1
  ), old_checks as (
    delete from checks where id in (
      select id from (
        select id, finished_at from checks
        where record_id = :recordId and number < (select check_number from head) order by number limit :limit
      ) oldest where finished_at < now() - :days * interval '1 day'
        and not exists (
          select from delta_events join head on head.record_id = delta_events.record_id
            and head.event_number = delta_events.number
          where delta_events.check_id = oldest.id))
    returning 1
  )
  select (select count(*) from old_events) + (select count(*) from old_checks) as deleted`;

/**
 * Snapshots that no event needs any more, and the row versions that stood in none of those that stay. The oldest
 * event compares with the snapshot before its own, if it is about a change: that one is the first to stay.
 */
const PRUNE_SNAPSHOTS = `
  with kept as (
    select record_no, heads.generation, oldest.generation as first_generation,
      oldest.sequence - case when is_no_change then 0 else 1 end as first_sequence
    from record_heads heads
    cross join lateral (
      select sequence, generation, is_no_change from delta_events
      where record_id = heads.record_id order by number limit 1
    ) oldest
    where heads.record_id = :recordId
  ), old_versions as (
    delete from row_versions where ctid = any(array(
      (select row_versions.ctid from kept join row_versions on row_versions.record_no = kept.record_no
        and row_versions.generation <= kept.generation and row_versions.last_seq < kept.first_sequence
      limit :limit)
      union all
      -- Those that stood when their generation ended have no end of their own.
      (select row_versions.ctid from kept join row_versions on row_versions.record_no = kept.record_no
        and row_versions.generation < kept.first_generation
      limit :limit)))
    returning 1
  ), old_snapshots as (
    delete from snapshots where id in (
      select snapshots.id from kept join snapshots on snapshots.record_id = :recordId
        and snapshots.sequence < kept.first_sequence
      order by sequence limit :limit)
    returning 1
  )
  select (select count(*) from old_versions) + (select count(*) from old_snapshots) as deleted`;

/**
 * Deliveries of neither an event nor a check: tests, and word of other webhooks. Ids are in the order of creation, and
 * the others of that age are gone with their events: few lines are read.
 */
const PRUNE_LONE_DELIVERIES = `
  with old_deliveries as (
    delete from deliveries where id in (
      select deliveries.id from webhooks join deliveries on deliveries.webhook_id = webhooks.id
        and deliveries.id < 'dlv_' || lpad(to_hex(
          (extract(epoch from now() - :days * interval '1 day') * 1000)::bigint), 12, '0')
      where webhooks.record_id = :recordId and delta_event_id is null and check_id is null
      limit :limit)
    returning 1
  )
  select count(*) as deleted from old_deliveries`;

/**
 * Deletes at most `limit` lines of each kind that are older than the retention. The latest snapshot, event and
 * check always stay, and so does what the kept events compare.
 * @returns how many lines were deleted; 0 when there is nothing left to do
 */
export async function pruneRecord(
  db: Database,
  recordId: string,
  days: number,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const statement of [PRUNE_RESULTS, PRUNE_SNAPSHOTS, PRUNE_LONE_DELIVERIES]) {
    const [row] = await rawRows<{ deleted: number }>(db, statement, { recordId, days, limit });
    deleted += row?.deleted ?? 0;
  }
  return deleted;
}

/**
 * Erases at most `limit` lines of each kind of a deleted record, and the record itself once nothing else is left.
 * @returns whether there is nothing to erase any more; true as well for a record that is not deleted
 */
export async function eraseSomeOfRecord(db: Database, recordId: string, limit: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    // Waits for a check that is being committed. No later one adds row versions: db/commit/commit-delta.ts, lockHead.
    const [head] = await rawRows<{ recordNo: number }>(
      trx,
      `select record_no as "recordNo" from record_heads heads join records on records.id = heads.record_id
       where records.id = ? and deleted_at is not null for update of heads`,
      [recordId],
    );
    if (head === undefined) return true;
    let erased = await deleteSome(trx, 'row_versions', { record_no: head.recordNo }, limit);
    // Deliveries and attempts go with their events.
    for (const table of ['delta_events', 'checks', 'snapshots', 'loose_bodies']) {
      erased += await deleteSome(trx, table, { record_id: recordId }, limit);
    }
    if (erased > 0) return false;
    if (!(await removeSession(trx, recordId))) {
      await rawRows(trx, 'delete from records where id = ?', [recordId]);
    }
    return true;
  });
}

async function deleteSome(
  trx: Knex.Transaction,
  table: string,
  owner: Record<string, string | number>,
  limit: number,
): Promise<number> {
  const some = trx(table).select('ctid').where(owner).limit(limit);
  return trx(table).whereRaw('ctid = any(array(?))', [some]).delete();
}
