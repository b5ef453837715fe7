// The completeness and the recovery point of a restored database.
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
