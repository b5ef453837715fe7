// Whether a restored database is complete, up to when it reaches, and which of its credentials work.
import { IS_WORKING } from '../access/callers.ts';
import { type Database, rawRows } from '../driver/knex.ts';

export interface RecoveryPoint {
  /** Of all records; null when none was checked. */
  lastCheckAt: Date | null;
  records: number;
  /** Active records whose next check is due. */
  dueRecords: number;
  /** Deliveries that are not final. Those that were made after the backup are made again. */
  pendingDeliveries: number;
}

export async function findRecoveryPoint(db: Database): Promise<RecoveryPoint> {
  const [point] = await rawRows<RecoveryPoint>(
    db,
    `select max(last_checked_at) as "lastCheckAt", count(*) as records,
       count(*) filter (where status = 'active' and next_check_at <= now()) as "dueRecords",
       (select count(*) from deliveries where next_attempt_at is not null) as "pendingDeliveries"
     from record_heads join records on records.id = record_id where deleted_at is null`,
  );
  if (point === undefined) throw new Error('An aggregate gives one row');
  return point;
}

/** What works now. A restored database knows nothing of credentials that ended after its backup, so they work again. */
export interface WorkingCredentials {
  keys: number;
  logins: number;
  clients: number;
  sessions: number;
}

export async function countWorkingCredentials(db: Database): Promise<WorkingCredentials> {
  const [counted] = await rawRows<WorkingCredentials>(
    db,
    `select (select count(*) from api_keys keys where ${IS_WORKING} and (record_id is null or exists (
         select from records where records.id = keys.record_id and deleted_at is null))) as keys,
       (select count(*) from login_sessions where expires_at > now()) as logins,
       (select count(*) from connected_clients) as clients,
       (select count(*) from ephemeral_sessions where ended_at is null and expires_at > now()) as sessions`,
  );
  if (counted === undefined) throw new Error('A select without a table gives one row');
  return counted;
}

/** Records whose state names an event that is not there. The latest event of a record is never deleted. */
export async function countHeadsWithoutEvent(db: Database): Promise<number> {
  const [row] = await rawRows<{ count: number }>(
    db,
    `select count(*) as count from record_heads heads where event_number > 0
       and not exists (select from delta_events events
         where events.record_id = heads.record_id and events.number = heads.event_number)
       and not exists (select from unchanged_checks short
         where short.record_no = heads.record_no and short.event_number = heads.event_number)`,
  );
  return row?.count ?? 0;
}

/** Records whose rows are not those of their state, or whose latest snapshot is not there. Erasing takes the rows of deleted ones. */
export async function countHeadsWithoutRows(db: Database): Promise<number> {
  const [row] = await rawRows<{ count: number }>(
    db,
    `select count(*) as count from record_heads heads
     join records on records.id = heads.record_id and records.deleted_at is null
     left join (
       select record_no, generation, count(*) as count from row_versions where last_seq is null group by 1, 2
     ) stored on stored.record_no = heads.record_no and stored.generation = heads.generation
     where coalesce(stored.count, 0) <> heads.total_rows or (heads.snapshot_id is not null
       and not exists (select from snapshots where snapshots.id = heads.snapshot_id))`,
  );
  return row?.count ?? 0;
}
