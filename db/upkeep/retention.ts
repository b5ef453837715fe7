// Deletes history that is older than the retention, and erases deleted records. Every statement is bounded, so that none
// holds locks for long.
import { removeSession } from '../access/ephemeral-sessions.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { oldestEventSql } from '../unchanged-checks.ts';

/** Records of a tier, by id, after the given one. */
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

const CUTOFF = `now() - :days * interval '1 day'`;
/** What the id of a delivery of that time would begin with. */
const OLDEST_DELIVERY = `'dlv_' || lpad(to_hex((extract(epoch from ${CUTOFF}) * 1000)::bigint), 12, '0')`;

/**
 * Deletes events and checks older than the retention, except for the latest of each and the check of the latest event,
 * because deleting that check would delete its deliveries. None is deleted before the unchanged checks that are older: a
 * poller that begins with one of those would miss it. Both walk their numbers from the oldest, so that a statement
 * reads no more rows than it may delete. Deliveries and attempts are deleted with their event.
 */
const PRUNE_RESULTS = `
  with head as (
    select record_id, heads.event_number, check_number, short.event_number as short_event_number,
      short.number as short_number
    from record_heads heads
    left join lateral (
      select event_number, number from unchanged_checks
      where record_no = heads.record_no and event_number < heads.event_number order by event_number limit 1
    ) short on true
    where record_id = :recordId
  ), old_events as (
    delete from delta_events where id in (
      select id from (
        select id, detected_at from delta_events
        where record_id = :recordId and number < (select least(event_number, short_event_number) from head)
        order by number limit :limit
      ) oldest where detected_at < ${CUTOFF})
    returning 1
  ), old_checks as (
    delete from checks where id in (
      select id from (
        select id, finished_at from checks
        where record_id = :recordId and number < (select least(check_number, short_number) from head)
        order by number limit :limit
      ) oldest where finished_at < ${CUTOFF}
        and not exists (
          select from delta_events join head on head.record_id = delta_events.record_id
            and head.event_number = delta_events.number
          where delta_events.check_id = oldest.id))
    returning 1
  )
  select (select count(*) from old_events) + (select count(*) from old_checks) as deleted`;

/** The same for unchanged checks, which are both, of many records. */
const PRUNE_UNCHANGED = `
  with old_rows as (
    delete from unchanged_checks where ctid = any(array(
      select oldest.row_place from unnest(:recordIds::text[]) asked (record_id)
      join record_heads heads using (record_id)
      cross join lateral (
        select ctid as row_place, finished_at from unchanged_checks
        where record_no = heads.record_no and event_number < heads.event_number
        order by event_number limit :limit
      ) oldest
      where oldest.finished_at < ${CUTOFF}))
    returning 1
  )
  select count(*) as deleted from old_rows`;

/**
 * Deletes snapshots that no event needs, and row versions that are in none of the snapshots that stay. The first one to
 * stay is the snapshot before the one of the oldest event, if that event is about a change.
 */
const KEPT = `
  select record_id, record_no, heads.generation, oldest.generation as first_generation,
    oldest.sequence - case when is_no_change then 0 else 1 end as first_sequence
  from record_heads heads
  cross join lateral (${oldestEventSql('heads.record_id')}) oldest`;

const PRUNE_SNAPSHOTS = `
  with kept as (
    ${KEPT}
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
 * Deletes deliveries that belong to neither an event nor a check: tests, and notices about other webhooks. Ids are in the
 * order of creation, and other deliveries of that age were deleted with their events, so few rows are read.
 */
const PRUNE_LONE_DELIVERIES = `
  with old_deliveries as (
    delete from deliveries where id in (
      select deliveries.id from webhooks join deliveries on deliveries.webhook_id = webhooks.id
        and deliveries.id < ${OLDEST_DELIVERY}
      where webhooks.record_id = :recordId and delta_event_id is null and check_id is null
      limit :limit)
    returning 1
  )
  select count(*) as deleted from old_deliveries`;

/**
 * The records among these whose results, snapshots, row versions or lone deliveries are to be deleted, so that pruning costs
 * a part of a statement for each of the others. May name a record of which nothing more can be deleted. Leaves out unchanged
 * checks.
 */
export async function listPrunable(
  db: Database,
  recordIds: readonly string[],
  days: number,
): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    `select heads.record_id as id from unnest(:recordIds::text[]) asked (record_id)
     join record_heads heads using (record_id)
     where (select detected_at < ${CUTOFF} from delta_events events
         where events.record_id = heads.record_id and number < heads.event_number order by number limit 1)
       or (select finished_at < ${CUTOFF} from checks
         where checks.record_id = heads.record_id and number < heads.check_number order by number limit 1)
       or exists (
         select from (${KEPT} where heads.record_id = asked.record_id) kept
         where exists (select from snapshots
             where snapshots.record_id = kept.record_id and snapshots.sequence < kept.first_sequence)
           or exists (select from row_versions versions where versions.record_no = kept.record_no
             and versions.generation <= kept.generation and versions.last_seq < kept.first_sequence)
           or exists (select from row_versions versions where versions.record_no = kept.record_no
             and versions.generation < kept.first_generation))
       or exists (
         select from webhooks join deliveries on deliveries.webhook_id = webhooks.id
           and deliveries.id < ${OLDEST_DELIVERY}
         where webhooks.record_id = heads.record_id and delta_event_id is null and check_id is null)`,
    { recordIds: [...recordIds], days },
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes at most `limit` unchanged checks of each record that are older than the retention, except for the latest event.
 * @returns how many rows were deleted; 0 when there is nothing left to do
 */
export async function pruneUnchanged(
  db: Database,
  recordIds: readonly string[],
  days: number,
  limit: number,
): Promise<number> {
  const [row] = await rawRows<{ deleted: number }>(db, PRUNE_UNCHANGED, {
    recordIds: [...recordIds],
    days,
    limit,
  });
  return row?.deleted ?? 0;
}

/**
 * Deletes at most `limit` rows of each table that are older than the retention. The latest snapshot, event and check always
 * stay, and so do the snapshots that the remaining events compare.
 * @returns how many rows were deleted; 0 when there is nothing left to do
 */
export async function pruneRecord(
  db: Database,
  recordId: string,
  days: number,
  limit: number,
): Promise<number> {
  let deleted = await pruneUnchanged(db, [recordId], days, limit);
  for (const statement of [PRUNE_RESULTS, PRUNE_SNAPSHOTS, PRUNE_LONE_DELIVERIES]) {
    const [row] = await rawRows<{ deleted: number }>(db, statement, { recordId, days, limit });
    deleted += row?.deleted ?? 0;
  }
  return deleted;
}

/**
 * Erases at most `limit` rows of each table of a deleted record, and the record itself once nothing else is left.
 * @returns whether everything is erased; also true for a record that is not deleted
 */
export async function eraseSomeOfRecord(db: Database, recordId: string, limit: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    // Waits for a check that is being committed. Later checks add no row versions (lockHead in db/commit/commit-delta.ts).
    const [head] = await rawRows<{ recordNo: number }>(
      trx,
      `select record_no as "recordNo" from record_heads heads join records on records.id = heads.record_id
       where records.id = ? and deleted_at is not null for update of heads`,
      [recordId],
    );
    if (head === undefined) return true;
    let erased = 0;
    for (const table of ['row_versions', 'unchanged_checks']) {
      erased += await deleteSome(trx, table, { record_no: head.recordNo }, limit);
    }
    // Deliveries and attempts are deleted with their events.
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
