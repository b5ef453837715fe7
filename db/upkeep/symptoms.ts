// Counts of what is late or fails over all accounts, for the operator.
import { type Database, rawRows } from '../driver/knex.ts';
import { IN_TURN } from '../webhooks/lines.ts';

/** The database's clock, in milliseconds since the epoch. */
export async function readClockMs(db: Database): Promise<number> {
  const [row] = await rawRows<{ ms: number }>(
    db,
    `select extract(epoch from clock_timestamp())::double precision * 1000 as ms`,
  );
  return row?.ms ?? Number.NaN;
}

export interface Late {
  count: number;
  /** The id of the one that is due for longest, and since when; null when there is none. */
  id: string | null;
  dueAt: Date | null;
}

/** Records whose next check is overdue by more than the grace. */
export const findLateRecords = (db: Database, graceMs: number): Promise<Late> =>
  findLate(
    db,
    `select records.id, next_check_at as due_at from record_heads join records on records.id = record_id
     where status = 'active' and deleted_at is null`,
    graceMs,
  );

/** Deliveries whose next attempt is overdue by more than the grace. In a line, only the first can be. */
export const findLateDeliveries = (db: Database, graceMs: number): Promise<Late> =>
  findLate(db, `select id, next_attempt_at as due_at from (${IN_TURN}) in_turn`, graceMs);

async function findLate(db: Database, all: string, graceMs: number): Promise<Late> {
  const [late] = await rawRows<Late>(
    db,
    `select count(*) over () as count, id, due_at as "dueAt" from (${all}) everything
     where due_at < now() - ?::double precision * interval '1 millisecond' order by due_at limit 1`,
    [graceMs],
  );
  return late ?? { count: 0, id: null, dueAt: null };
}

export const SYMPTOMS = ['failing', 'held', 'overdue'] as const;

export type Symptom = (typeof SYMPTOMS)[number];

/** A record that shows a symptom. */
export interface AilingRecord {
  id: string;
  accountId: string;
  slug: string;
  name: string;
  status: string;
  since: Date;
  consecutiveFailures: number;
  errorCode: string | null;
  errorDetail: string | null;
}

/** Overdue by more than a minute: reconciling has had its turn. */
const SINCE: Readonly<Record<Symptom, { since: string; condition: string }>> = {
  failing: { since: 'failing_since', condition: 'failing_since is not null' },
  held: { since: 'held_since', condition: 'held_check_id is not null and not is_held_accepted' },
  overdue: {
    since: 'next_check_at',
    condition: `status = 'active' and next_check_at < now() - interval '1 minute'`,
  },
};

/** Over all accounts, the longest first: one more than the limit. Reads all heads. */
export function listAilingRecords(db: Database, symptom: Symptom, limit: number): Promise<AilingRecord[]> {
  const { since, condition } = SINCE[symptom];
  return rawRows(
    db,
    `select records.id, account_id as "accountId", slug, name, status, coalesce(${since}, last_checked_at) as since,
       consecutive_failures as "consecutiveFailures", last_error_code as "errorCode", last_error_detail as "errorDetail"
     from record_heads join records on records.id = record_id
     where deleted_at is null and ${condition} order by since, records.id limit ?`,
    [limit + 1],
  );
}

/** Since when a record's checks fail and its held check waits; null when they do not. */
export async function findSymptomTimes(
  db: Database,
  recordId: string,
): Promise<{ failingSince: Date | null; heldSince: Date | null }> {
  const row = await db('recordHeads').where({ recordId }).first('failingSince', 'heldSince');
  return { failingSince: row?.failingSince ?? null, heldSince: row?.heldSince ?? null };
}
