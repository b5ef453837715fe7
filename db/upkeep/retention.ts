// Deletes history that is older than the retention, and erases deleted records. Every statement is bounded, so that none
// holds locks for long.
import { removeSession } from '../access/ephemeral-sessions.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { forgetInDigests } from '../webhooks/digests.ts';
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
/** The beginning of the ids of deliveries of that time. */
const OLDEST_DELIVERY = `'dlv_' || lpad(to_hex((extract(epoch from ${CUTOFF}) * 1000)::bigint), 12, '0')`;

/**
 * Of each of the records asked for, the numbers before which events and checks may be deleted. None is deleted before the
 * unchanged checks that are older: a poller that begins with one of those would miss it. The check of the latest event stays,
 * because deleting it would delete its deliveries, and so does the held check, which waits for a decision.
 */
const BOUNDS = `
  select heads.record_id, least(heads.event_number, short.event_number) as event_bound,
    least(heads.check_number, short.number) as check_bound, heads.held_check_id, (
      select check_id from delta_events latest
      where latest.record_id = heads.record_id and latest.number = heads.event_number) as kept_check_id
  from unnest(:recordIds::text[]) asked (record_id)
  join record_heads heads using (record_id)
  left join lateral (
    select event_number, number from unchanged_checks
    where record_no = heads.record_no and event_number < heads.event_number order by event_number limit 1
  ) short on true`;

/** From the oldest on, so that a statement reads no more rows than it may delete. */
const eventsBeforeBound = (limit: string): string => `
  select ctid as tuple_id, detected_at from delta_events events
  where events.record_id = bounds.record_id and number < event_bound order by number limit ${limit}`;
const checksBeforeBound = (limit: string): string => `
  select ctid as tuple_id, finished_at from checks
  where checks.record_id = bounds.record_id and number < check_bound
    and id is distinct from kept_check_id and id is distinct from bounds.held_check_id
  order by number limit ${limit}`;

/** Deliveries and attempts are deleted with their event. */
const PRUNE_RESULTS = `
  with bounds as (${BOUNDS}), old_events as (
    delete from delta_events where ctid = any(array(
      select tuple_id from bounds cross join lateral (${eventsBeforeBound(':limit')}) oldest
      where detected_at < ${CUTOFF}))
    returning 1
  ), old_checks as (
    delete from checks where ctid = any(array(
      select tuple_id from bounds cross join lateral (${checksBeforeBound(':limit')}) oldest
      where finished_at < ${CUTOFF}))
    returning 1
  )
  select (select count(*) from old_events) + (select count(*) from old_checks) as deleted`;

const unchangedBeforeLatest = (limit: string): string => `
  select ctid as tuple_id, finished_at from unchanged_checks
  where record_no = heads.record_no and event_number < heads.event_number order by event_number limit ${limit}`;

/** The same for unchanged checks, which are both. */
const PRUNE_UNCHANGED = `
  with old_rows as (
    delete from unchanged_checks where ctid = any(array(
      select tuple_id from unnest(:recordIds::text[]) asked (record_id)
      join record_heads heads using (record_id)
      cross join lateral (${unchangedBeforeLatest(':limit')}) oldest
      where finished_at < ${CUTOFF}))
    returning 1
  )
  select count(*) as deleted from old_rows`;

/**
 * Snapshots that no event needs are deleted, and row versions that are in none of the snapshots that stay. The first one to
 * stay is the snapshot before the one of the oldest event, if that event is about a change.
 */
const KEPT = `
  select record_id, record_no, heads.generation, oldest.generation as first_generation,
    oldest.sequence - case when is_no_change then 0 else 1 end as first_sequence
  from unnest(:recordIds::text[]) asked (record_id)
  join record_heads heads using (record_id)
  cross join lateral (${oldestEventSql('heads.record_id')}) oldest`;

const UNNEEDED_SNAPSHOTS = `
  select ctid as tuple_id from snapshots
  where snapshots.record_id = kept.record_id and snapshots.sequence < kept.first_sequence order by sequence`;
const CLOSED_VERSIONS = `
  select ctid as tuple_id from row_versions
  where record_no = kept.record_no and generation <= kept.generation and last_seq < kept.first_sequence`;
/** Row versions that were open when their generation ended have no `last_seq`. */
const VERSIONS_OF_ENDED_GENERATIONS = `
  select ctid as tuple_id from row_versions
  where record_no = kept.record_no and generation < kept.first_generation`;

/** A snapshot that can still be read keeps its rows: they go with the last unneeded snapshots, or after them. */
const PRUNE_SNAPSHOTS = `
  with kept as (${KEPT}), old_versions as (
    delete from row_versions where ctid = any(array(
      select tuple_id from kept cross join lateral (
        (${CLOSED_VERSIONS} limit :limit) union all (${VERSIONS_OF_ENDED_GENERATIONS} limit :limit)
      ) old
      where not exists (${UNNEEDED_SNAPSHOTS} offset :limit limit 1)))
    returning 1
  ), old_snapshots as (
    delete from snapshots where ctid = any(array(
      select tuple_id from kept cross join lateral (${UNNEEDED_SNAPSHOTS} limit :limit) old))
    returning 1
  )
  select (select count(*) from old_versions) + (select count(*) from old_snapshots) as deleted`;

/** Deliveries that belong to neither an event nor a check: tests, and notices about other webhooks. */
const LONE = 'delta_event_id is null and check_id is null';
const LONE_DELIVERIES = `
  select ctid as tuple_id from deliveries
  where deliveries.record_id = asked.record_id and ${LONE} and id < ${OLDEST_DELIVERY}`;

const PRUNE_LONE_DELIVERIES = `
  with old_deliveries as (
    delete from deliveries where ctid = any(array(
      select tuple_id from unnest(:recordIds::text[]) asked (record_id)
      cross join lateral (${LONE_DELIVERIES} limit :limit) old))
    returning 1
  )
  select count(*) as deleted from old_deliveries`;

/** Lists the records of which a step would delete something. Most have nothing, and cost a part of a statement. */
const LIST_PRUNABLE = `
  select bounds.record_id as id from (${BOUNDS}) bounds
  join record_heads heads using (record_id)
  where (select finished_at < ${CUTOFF} from (${unchangedBeforeLatest('1')}) oldest)
    or (select detected_at < ${CUTOFF} from (${eventsBeforeBound('1')}) oldest)
    or (select finished_at < ${CUTOFF} from (${checksBeforeBound('1')}) oldest)
  union
  select record_id from (${KEPT}) kept
  where exists (${UNNEEDED_SNAPSHOTS}) or exists (${CLOSED_VERSIONS}) or exists (${VERSIONS_OF_ENDED_GENERATIONS})
  union
  select record_id from unnest(:recordIds::text[]) asked (record_id) where exists (${LONE_DELIVERIES})`;

/** The records among these of which `pruneRecords` deletes something. */
export async function listPrunable(
  db: Database,
  recordIds: readonly string[],
  days: number,
): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(db, LIST_PRUNABLE, { recordIds: [...recordIds], days });
  return rows.map(({ id }) => id);
}

/**
 * Deletes at most `limit` rows of each table and record that are older than the retention; first unchanged checks, and nothing
 * else where there are any. The latest snapshot, event and check always stay, and so do the snapshots that the remaining
 * events compare.
 * @returns how many rows were deleted; 0 when there is nothing left to do
 */
export async function pruneRecords(
  db: Database,
  recordIds: readonly string[],
  days: number,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const statement of [PRUNE_UNCHANGED, PRUNE_RESULTS, PRUNE_SNAPSHOTS, PRUNE_LONE_DELIVERIES]) {
    const [row] = await rawRows<{ deleted: number }>(db, statement, {
      recordIds: [...recordIds],
      days,
      limit,
    });
    deleted += row?.deleted ?? 0;
    if (statement === PRUNE_UNCHANGED && deleted > 0) break;
  }
  return deleted;
}

/**
 * Erases at most `limit` rows of each table of a deleted record, and the record itself once nothing else is left.
 * @returns whether everything is erased; also true for a record that is not deleted
 */
export async function eraseSomeOfRecord(db: Database, recordId: string, limit: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    // Waits for a check that is being committed. Later checks add no row versions (lockHead in db/commit/write-check.ts).
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
    for (const table of ['delta_events', 'checks', 'snapshots', 'loose_bodies', 'feed_events']) {
      erased += await deleteSome(trx, table, { record_id: recordId }, limit);
    }
    // Those to webhooks of the account, which outlive the record.
    await forgetInDigests(trx, recordId);
    erased += await deleteSome(trx, 'deliveries', trx.raw(`record_id = ? and ${LONE}`, [recordId]), limit);
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
  owner: Record<string, string | number> | Knex.Raw,
  limit: number,
): Promise<number> {
  const some = trx(table).select('ctid').where(owner).limit(limit);
  return trx(table).whereRaw('ctid = any(array(?))', [some]).delete();
}
