// Finds what is overdue, for reconciling.
import { type Database, rawRows } from '../driver/knex.ts';
import { firstInLine } from '../webhooks/lines.ts';

/**
 * Records whose next check is overdue by more than the grace, most overdue first; records whose session should have ended;
 * and deleted records whose data still exist. Reads all heads: an index on the time of the next check would be written by
 * every check.
 */
export async function listOverdueRecords(db: Database, graceMs: number, limit: number): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    `(select records.id from record_heads heads join records on records.id = heads.record_id
      where heads.next_check_at < now() - :graceMs::double precision * interval '1 millisecond'
        and records.status = 'active' and records.deleted_at is null
      order by heads.next_check_at limit :limit)
     union all
     (select id from records where deleted_at < now() - :graceMs::double precision * interval '1 millisecond'
      order by deleted_at limit :limit)
     union all
     (select record_id from ephemeral_sessions
      where expires_at < now() - :graceMs::double precision * interval '1 millisecond'
      order by expires_at limit :limit)`,
    { graceMs, limit },
  );
  return [...new Set(rows.map(({ id }) => id))];
}

/** A record and the time, as text, at which its check was due. */
export interface MissedRecord {
  id: string;
  dueAt: string;
}

/** Active records whose next check is overdue by more than the grace, most overdue first, after the given one. */
export function listMissedRecords(
  db: Database,
  graceMs: number,
  after: MissedRecord,
  limit: number,
): Promise<MissedRecord[]> {
  return rawRows<MissedRecord>(
    db,
    `select records.id, heads.next_check_at::text as "dueAt"
     from record_heads heads join records on records.id = heads.record_id
     where (heads.next_check_at, records.id) > (:dueAt::timestamptz, :id)
       and heads.next_check_at < now() - :graceMs::double precision * interval '1 millisecond'
       and records.status = 'active' and records.deleted_at is null
     order by heads.next_check_at, records.id limit :limit`,
    { ...after, graceMs, limit },
  );
}

/** Pending deliveries whose next attempt is overdue by more than the grace. Backlogs have their own workflow. */
export async function listOverdueDeliveries(db: Database, graceMs: number, limit: number): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    `select id from deliveries
     where next_attempt_at < now() - ?::double precision * interval '1 millisecond' and not in_backlog
     order by next_attempt_at limit ?`,
    [graceMs, limit],
  );
  return rows.map(({ id }) => id);
}

const FIRST = firstInLine({ webhook: 'deliveries.webhook_id', record: 'deliveries.record_id' });
const IS_FIRST = `deliveries.id = (
  select first.id from webhooks cross join lateral (${FIRST}) first where webhooks.id = deliveries.webhook_id)`;

/**
 * Webhooks whose backlog has a delivery that is overdue by more than the grace. In a line only the first is: the others wait
 * for it.
 */
export async function listOverdueBacklogs(db: Database, graceMs: number, limit: number): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    `select webhook_id as id from deliveries
     where in_backlog and status = 'pending' and (line_position is null or ${IS_FIRST})
       and next_attempt_at < now() - ?::double precision * interval '1 millisecond'
     group by webhook_id order by min(next_attempt_at) limit ?`,
    [graceMs, limit],
  );
  return rows.map(({ id }) => id);
}
