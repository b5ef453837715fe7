// Deleting what retention says, and erasing deleted records: every statement bounded, so none holds locks for long.
import { type Database, rawRows } from './knex.ts';

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
 * Deletes at most `limit` lines of each kind that are older than the retention. What the oldest kept event
 * compares with, the latest snapshot, the latest event and the latest check always stay.
 * @returns how many lines were deleted; 0 when there is nothing left to do
 */
export async function pruneRecord(
  db: Database,
  recordId: string,
  days: number,
  limit: number,
): Promise<number> {
  const [row] = await rawRows<{ deleted: number }>(
    db,
    `with base as (
       -- The snapshot that was the latest at the cutoff: everything before it can go.
       select heads.record_no, heads.event_number, heads.check_number, now() - :days * interval '1 day' as cutoff,
         (select snapshots.generation from snapshots where snapshots.record_id = heads.record_id
            and created_at < now() - :days * interval '1 day' order by sequence desc limit 1) as generation,
         (select max(sequence) from snapshots where snapshots.record_id = heads.record_id
            and created_at < now() - :days * interval '1 day') as sequence
       from record_heads heads where record_id = :recordId
     ), versions as (
       delete from row_versions where ctid = any(array(
         select row_versions.ctid from base join row_versions on row_versions.record_no = base.record_no
           and row_versions.generation <= base.generation and row_versions.last_seq < base.sequence limit :limit))
       returning 1
     ), old_snapshots as (
       delete from snapshots where id in (
         select snapshots.id from base join snapshots on snapshots.record_id = :recordId
           and snapshots.sequence < base.sequence limit :limit)
       returning 1
     ), events as (
       delete from delta_events where id in (
         select delta_events.id from base join delta_events on delta_events.record_id = :recordId
           and detected_at < cutoff and number < event_number limit :limit)
       returning 1
     ), old_checks as (
       delete from checks where id in (
         select checks.id from base join checks on checks.record_id = :recordId
           and finished_at < cutoff and number < check_number limit :limit)
       returning 1
     ), old_deliveries as (
       delete from deliveries where id in (
         select deliveries.id from base join deliveries on deliveries.record_id = :recordId
           and deliveries.finished_at < cutoff limit :limit)
       returning 1
     )
     select (select count(*) from versions) + (select count(*) from old_snapshots) + (select count(*) from events)
       + (select count(*) from old_checks) + (select count(*) from old_deliveries) as deleted`,
    { recordId, days, limit },
  );
  return row?.deleted ?? 0;
}

/**
 * Erases at most `limit` lines of a deleted record, and the record itself once nothing else is left.
 * @returns whether it is all gone
 */
export async function eraseSomeOfRecord(db: Database, recordId: string, limit: number): Promise<boolean> {
  const [row] = await rawRows<{ erased: number }>(
    db,
    `with versions as (
       delete from row_versions where ctid = any(array(
         select row_versions.ctid from record_heads heads
         join records on records.id = heads.record_id and deleted_at is not null
         join row_versions on row_versions.record_no = heads.record_no
         where heads.record_id = :recordId limit :limit))
       returning 1
     ), events as (
       delete from delta_events where id in (
         select delta_events.id from delta_events join records on records.id = record_id and deleted_at is not null
         where record_id = :recordId limit :limit)
       returning 1
     ), old_checks as (
       delete from checks where id in (
         select checks.id from checks join records on records.id = record_id and deleted_at is not null
         where record_id = :recordId limit :limit)
       returning 1
     )
     select (select count(*) from versions) + (select count(*) from events) + (select count(*) from old_checks)
       as erased`,
    { recordId, limit },
  );
  if ((row?.erased ?? 0) > 0) return false;
  // The rest hangs on the record by foreign keys and is bounded by the number of its webhooks and snapshots.
  await rawRows(db, 'delete from records where id = ? and deleted_at is not null', [recordId]);
  return true;
}
