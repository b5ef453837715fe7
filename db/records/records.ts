// Records: the settings that their owners choose, joined with the head, which the checks update.
import { Model } from 'objection';
import type { CheckOutcome, Format, RecordStatus } from '../../core/checks.ts';
import type { CheckErrorCode } from '../../core/errors.ts';
import type { AcceptedRun } from '../../core/sharp-drop.ts';
import type { AuthType } from '../../core/source-credentials.ts';
import type { Quoting } from '../../core/delta/model.ts';
import type { Pairing } from '../../core/delta/pair-similar.ts';
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import type { Tier } from '../../core/tiers.ts';
import { lockAccount } from '../accounts/accounts.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { lookUp } from '../driver/prepared.ts';
import { insertCredentials, type SealedCredentials } from './source-credentials.ts';

/** A record's settings. RecordHead holds its progress. */
export class RecordModel extends Model {
  static override tableName = 'records';
  declare id: string;
  declare accountId: string;
  declare slug: string;
  declare name: string;
  declare url: string;
  declare tier: Tier;
  declare status: RecordStatus;
  declare format: Format | null;
  declare delimiter: string | null;
  declare rowsPath: string | null;
  declare headerRow: number | null;
  declare quoting: Quoting;
  declare keyFields: string[] | null;
  declare ignoreFields: string[];
  declare rules: ColumnRules;
  declare pairing: Pairing | null;
  /** For how long the record must be without a change before its feed says so; null: it never does. */
  declare quietHours: number | null;
  /** Counts changes of format, delimiter and rowsPath. */
  declare dialectVersion: number;
  /** The generation that ends with the next body; see core/generation.ts. */
  declare startsOverGeneration: number | null;
  declare checkIntervalSeconds: number;
  /** Values by name. */
  declare labels: Readonly<Record<string, string>>;
  declare authType: AuthType;
  declare authVersion: number;
  declare createdAt: Date;
  declare updatedAt: Date;
  declare deletedAt: Date | null;
}

/** The progress of a record's checks. Commits of checks write it; plans write the next check's time, decisions the held body. */
interface RecordHead {
  recordNo: number;
  generation: number;
  sequence: number;
  /** The number of the latest event; 0 before the first. */
  eventNumber: number;
  /** Whether the latest check had nothing to compare its rows with. */
  isBaseline: boolean;
  snapshotId: string | null;
  totalRows: number;
  columns: string[];
  headKeyFields: string[];
  keySource: 'given' | 'detected' | null;
  keyEvidence: unknown;
  /** The ignored fields of the current generation. */
  headIgnoreFields: string[];
  /** The rules for columns of the current generation. */
  headRules: ColumnRules;
  /** This and the quoting are those that were requested for the current generation. */
  headHeaderRow: number | null;
  headQuoting: Quoting;
  /** The version of the settings whose header row and quoting wait for a later body; see core/generation.ts. */
  putAsideVersion: number | null;
  /** The dialectVersion of the settings. A record that is read as before has the dialectVersion of its stored rows. */
  settingsVersion: number;
  dialect: unknown;
  /** The version of the settings with which the dialect was detected. */
  headDialectVersion: number;
  bodySha256: string | null;
  bodyBytes: number | null;
  /** The accepted bodies in a row without a line end, if it is not certain that the table has lost its own. */
  openEndedRun: AcceptedRun | null;
  validatedUrlHash: string | null;
  etag: string | null;
  lastModified: string | null;
  heldRows: number | null;
  heldSha256: string | null;
  heldCheckId: string | null;
  /** The facts of the held body's fetch. */
  heldBody: unknown;
  /** A person accepted the held body, and it is not committed yet. */
  isHeldAccepted: boolean;
  rejectedRows: number | null;
  lastCheckedAt: Date | null;
  /** The time of the last check that asked the origin. */
  originAskedAt: Date | null;
  lastOutcome: CheckOutcome | null;
  lastErrorCode: CheckErrorCode | null;
  lastErrorDetail: string | null;
  /** A hash of the settings of the last check that failed or was held. */
  failedSettings: string | null;
  consecutiveFailures: number;
  /** The first failed check since the last good one. */
  failingSince: Date | null;
  nextCheckAt: Date | null;
}

export type TrackedRecord = Omit<RecordModel, keyof Model> & RecordHead;

type Defaulted = 'authType' | 'headerRow' | 'quoting' | 'labels' | 'rules' | 'pairing' | 'quietHours';
export type NewRecord = Pick<
  RecordModel,
  | 'id'
  | 'accountId'
  | 'slug'
  | 'name'
  | 'url'
  | 'tier'
  | 'format'
  | 'delimiter'
  | 'rowsPath'
  | 'keyFields'
  | 'ignoreFields'
  | 'checkIntervalSeconds'
> &
  Partial<Pick<RecordModel, Defaulted>>;
export type RecordChanges = Partial<
  Omit<NewRecord, 'id' | 'accountId' | 'tier' | 'authType'> &
    Pick<RecordModel, 'status' | 'dialectVersion' | 'startsOverGeneration'>
>;

/** Every field of a tracked record, and its column. */
const FIELDS = {
  id: 'records.id',
  accountId: 'records.account_id',
  slug: 'records.slug',
  name: 'records.name',
  url: 'records.url',
  tier: 'records.tier',
  status: 'records.status',
  format: 'records.format',
  delimiter: 'records.delimiter',
  rowsPath: 'records.rows_path',
  headerRow: 'records.header_row',
  quoting: 'records.quoting',
  keyFields: 'records.key_fields',
  ignoreFields: 'records.ignore_fields',
  rules: 'records.rules',
  pairing: 'records.pairing',
  quietHours: 'records.quiet_hours',
  dialectVersion: 'records.dialect_version',
  startsOverGeneration: 'records.starts_over_generation',
  checkIntervalSeconds: 'records.check_interval_seconds',
  labels: 'records.labels',
  authType: 'records.auth_type',
  authVersion: 'records.auth_version',
  createdAt: 'records.created_at',
  updatedAt: 'records.updated_at',
  deletedAt: 'records.deleted_at',
  recordNo: 'heads.record_no',
  generation: 'heads.generation',
  sequence: 'heads.sequence',
  eventNumber: 'heads.event_number',
  isBaseline: `(heads.last_outcome = 'unchanged' and exists (
    select from delta_events events where events.record_id = heads.record_id and events.number = heads.event_number
      and (events.previous_snapshot_id is null or events.rekeyed)))`,
  snapshotId: 'heads.snapshot_id',
  totalRows: 'heads.total_rows',
  columns: 'heads.columns',
  headKeyFields: 'heads.key_fields',
  keySource: 'heads.key_source',
  keyEvidence: 'heads.key_evidence',
  headIgnoreFields: 'heads.ignore_fields',
  headRules: 'heads.rules',
  headHeaderRow: 'heads.header_row',
  headQuoting: 'heads.quoting',
  putAsideVersion: 'heads.put_aside_version',
  settingsVersion: 'records.dialect_version',
  dialect: 'heads.dialect',
  headDialectVersion: 'heads.dialect_version',
  bodySha256: 'heads.body_sha256',
  bodyBytes: 'heads.body_bytes',
  openEndedRun: 'heads.open_ended_run',
  validatedUrlHash: 'heads.validated_url_hash',
  etag: 'heads.etag',
  lastModified: 'heads.last_modified',
  heldRows: 'heads.held_rows',
  heldSha256: 'heads.held_sha256',
  heldCheckId: 'heads.held_check_id',
  heldBody: 'heads.held_body',
  isHeldAccepted: 'heads.is_held_accepted',
  rejectedRows: 'heads.rejected_rows',
  lastCheckedAt: 'heads.last_checked_at',
  originAskedAt: 'heads.origin_asked_at',
  lastOutcome: 'heads.last_outcome',
  lastErrorCode: 'heads.last_error_code',
  lastErrorDetail: 'heads.last_error_detail',
  failedSettings: 'heads.failed_settings',
  consecutiveFailures: 'heads.consecutive_failures',
  failingSince: 'heads.failing_since',
  nextCheckAt: 'heads.next_check_at',
} as const satisfies Record<keyof TrackedRecord, string>;

/** The columns of `records` joined with `record_heads as heads`, named as in TrackedRecord. */
export const RECORD_COLUMNS = Object.entries(FIELDS)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

/** A query for whole records. */
export type RecordsQuery = Knex.QueryBuilder<TrackedRecord, TrackedRecord[]>;

/** Records that are not deleted, with their heads. */
export function recordsWithHeads(db: Database): RecordsQuery {
  const query = db('records')
    .join('record_heads as heads', 'heads.record_id', 'records.id')
    .select<TrackedRecord[]>(db.raw(RECORD_COLUMNS))
    .whereNull('records.deleted_at');
  // knex cannot infer types from a raw column list. The declared type states them.
  return query;
}

/**
 * The tenancy rule as a condition on `records`: its account's credentials see a record, and of the credentials of one
 * record only its own. Every statement that reads records for a caller contains it.
 * @param accountId SQL of the caller's account
 * @param recordId SQL of the only record that the credential reaches, null for all of the account
 */
export const scopeSql = (accountId: string, recordId: string): string =>
  `records.account_id = ${accountId} and (${recordId} is null or records.id = ${recordId})
    and records.deleted_at is null`;

/** A record by id without a check of the caller: for activities, which act for the record itself. */
export async function findRecord(db: Database, id: string): Promise<TrackedRecord | undefined> {
  const [record] = await lookUp<TrackedRecord>(db, BY_ID, [id]);
  return record;
}

/** Reads a record that the transaction has inserted or changed. */
export async function readWritten(trx: Knex.Transaction, id: string): Promise<TrackedRecord> {
  const record = await recordsWithHeads(trx).where('records.id', id).first();
  if (record === undefined) throw new Error('The transaction has no such record');
  return record;
}

const HEADS = 'from records join record_heads as heads on heads.record_id = records.id';
const BY_ID = `select ${RECORD_COLUMNS} ${HEADS} where records.id = $1 and records.deleted_at is null`;

/** A record whose checks on schedule are made. */
export type ScheduledRecord = TrackedRecord & {
  /** The time until the next check is due, by the database's clock; 0 when it is overdue or none is planned. */
  untilDueMs: number;
  isSessionOver: boolean;
  /** The last check, if it has deliveries that are due and of which no process has made the first attempt. */
  undeliveredCheckId: string | null;
};

/** One statement, because every check on schedule begins with it. */
export async function findScheduledRecord(db: Database, id: string): Promise<ScheduledRecord | undefined> {
  const [record] = await lookUp<ScheduledRecord>(db, SCHEDULED, [id]);
  return record;
}

const SCHEDULED = `select ${RECORD_COLUMNS},
    greatest(0, extract(epoch from heads.next_check_at - now())::double precision * 1000) as "untilDueMs",
    coalesce(sessions.expires_at <= now(), false) as "isSessionOver", (
      select id from (select id from checks where checks.record_id = records.id order by number desc limit 1) last
      where exists (select from deliveries where check_id = last.id and deliveries.status = 'pending'
        and attempt_count = 0 and not in_backlog and next_attempt_at <= now())
    ) as "undeliveredCheckId"
  ${HEADS} left join ephemeral_sessions as sessions on sessions.record_id = records.id
  where records.id = $1 and records.deleted_at is null`;

export interface CheckTimes {
  /** The time until the next check is due; 0 when it is overdue or none is planned. */
  untilDueMs: number;
  /** The time since the last request to the origin; null before the first check. */
  sinceLastCheckMs: number | null;
  /** The time until the record's session ends, 0 when it has ended; null for a record without a session. */
  sessionEndsInMs: number | null;
  /** The number of the record's latest check, for setNextCheck. */
  checkNumber: number;
}

/** How far a record's checks are from now, by the database's clock, because a worker's clock may differ. */
export async function readCheckTimes(db: Database, id: string): Promise<CheckTimes> {
  const [times] = await rawRows<CheckTimes>(
    db,
    `select greatest(0, extract(epoch from next_check_at - now())::double precision * 1000) as "untilDueMs",
       extract(epoch from now() - origin_asked_at)::double precision * 1000 as "sinceLastCheckMs",
       case when expires_at is not null
         then greatest(0, extract(epoch from expires_at - now())::double precision * 1000) end as "sessionEndsInMs",
       check_number as "checkNumber"
     from record_heads heads left join ephemeral_sessions using (record_id) where heads.record_id = ?`,
    [id],
  );
  return times ?? { untilDueMs: 0, sinceLastCheckMs: null, sessionEndsInMs: null, checkNumber: 0 };
}

/**
 * Inserts a record that is due at once, and the credentials for its origin.
 * @throws UniqueViolationError when the slug is taken, ApiError unauthenticated when the account is deleted
 */
export async function insertRecord(
  db: Database,
  record: NewRecord,
  credentials: SealedCredentials | null = null,
): Promise<void> {
  await db.transaction(async (trx) => {
    await lockAccount(trx, record.accountId);
    await RecordModel.query(trx).insert(record);
    await trx('record_heads').insert({ recordId: record.id, nextCheckAt: trx.fn.now() });
    if (credentials !== null) await insertCredentials(trx, record.id, credentials);
  });
}

export async function updateRecord(db: Database, id: string, changes: RecordChanges): Promise<void> {
  await RecordModel.query(db)
    .findById(id)
    .patch({ ...changes, updatedAt: new Date() });
}

/** Hides a record from everybody at once, and ends its session if it has one. Its workflow erases its data afterwards. */
export async function markRecordDeleted(db: Database, id: string): Promise<void> {
  await rawRows(
    db,
    `with gone as (
       update records set deleted_at = now(), status = 'paused' where id = ? and deleted_at is null returning id
     )
     update ephemeral_sessions set ended_at = now() from gone where record_id = gone.id and ended_at is null`,
    [id],
  );
}

/**
 * Stores the time of the next check, for readers and for reconciling. An active record always gets one and a paused record
 * never, whatever the caller saw before: without it, reconciling could not find a record whose workflow is lost.
 * @param checkNumber the latest check that the caller has seen: a later one has planned the next check itself
 * @returns false when there is a later check, and nothing was stored
 */
export async function setNextCheck(
  db: Database,
  id: string,
  inMs: number | null,
  checkNumber: number | null = null,
): Promise<boolean> {
  const stored = await rawRows(
    db,
    `update record_heads set next_check_at = (
       select now() + coalesce(:inMs::double precision, 0) * interval '1 millisecond' from records
       where records.id = :id and status = 'active')
     where record_id = :id and check_number = coalesce(:checkNumber::integer, check_number)
     returning 1`,
    { id, inMs, checkNumber },
  );
  return stored.length > 0;
}
