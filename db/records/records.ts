// Tracked records: the settings their owners give, joined with the head that checks move on.
import { Model } from 'objection';
import type { CheckOutcome, Format, RecordStatus } from '../../core/checks.ts';
import type { CheckErrorCode } from '../../core/errors.ts';
import type { AuthType } from '../../core/source-credentials.ts';
import type { Principal } from '../../core/principal.ts';
import type { Tier } from '../../core/tiers.ts';
import { holdAccount } from '../accounts/accounts.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { insertCredentials, type SealedCredentials } from './source-credentials.ts';

/** A record's settings. Its progress stands in RecordHead. */
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
  declare keyFields: string[] | null;
  declare ignoreFields: string[];
  /** Counts changes of format, delimiter and rowsPath. */
  declare dialectVersion: number;
  /** The generation that is to end with the next body; see core/generation.ts. */
  declare startsOverGeneration: number | null;
  declare checkIntervalSeconds: number;
  declare authType: AuthType;
  declare authVersion: number;
  declare createdAt: Date;
  declare updatedAt: Date;
  declare deletedAt: Date | null;
}

/** How far checks have come with a record: written only in the transaction that records a check. */
interface RecordHead {
  recordNo: number;
  generation: number;
  sequence: number;
  /** Of the latest event; 0 before the first. */
  eventNumber: number;
  snapshotId: string | null;
  totalRows: number;
  columns: string[];
  headKeyFields: string[];
  keySource: 'given' | 'detected' | null;
  keyEvidence: unknown;
  /** Of the present generation. */
  headIgnoreFields: string[];
  /** Of the present generation: what was asked for. */
  headHeaderRow: number | null;
  dialect: unknown;
  /** Of the settings that the dialect was found out under. */
  headDialectVersion: number;
  bodySha256: string | null;
  bodyBytes: number | null;
  validatedUrlHash: string | null;
  etag: string | null;
  lastModified: string | null;
  heldRows: number | null;
  heldSha256: string | null;
  heldCheckId: string | null;
  /** The facts of its fetch. */
  heldBody: unknown;
  /** A person said so, and it is not recorded yet. */
  isHeldAccepted: boolean;
  rejectedRows: number | null;
  lastCheckedAt: Date | null;
  lastOutcome: CheckOutcome | null;
  lastErrorCode: CheckErrorCode | null;
  lastErrorDetail: string | null;
  consecutiveFailures: number;
  nextCheckAt: Date | null;
}

export type TrackedRecord = Omit<RecordModel, keyof Model> & RecordHead;

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
  Partial<Pick<RecordModel, 'authType' | 'headerRow'>>;
export type RecordChanges = Partial<
  Pick<
    RecordModel,
    | 'slug'
    | 'name'
    | 'url'
    | 'checkIntervalSeconds'
    | 'status'
    | 'format'
    | 'delimiter'
    | 'rowsPath'
    | 'headerRow'
    | 'dialectVersion'
    | 'keyFields'
    | 'ignoreFields'
    | 'startsOverGeneration'
  >
>;

/** Every field of a tracked record and where it comes from. */
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
  keyFields: 'records.key_fields',
  ignoreFields: 'records.ignore_fields',
  dialectVersion: 'records.dialect_version',
  startsOverGeneration: 'records.starts_over_generation',
  checkIntervalSeconds: 'records.check_interval_seconds',
  authType: 'records.auth_type',
  authVersion: 'records.auth_version',
  createdAt: 'records.created_at',
  updatedAt: 'records.updated_at',
  deletedAt: 'records.deleted_at',
  recordNo: 'heads.record_no',
  generation: 'heads.generation',
  sequence: 'heads.sequence',
  eventNumber: 'heads.event_number',
  snapshotId: 'heads.snapshot_id',
  totalRows: 'heads.total_rows',
  columns: 'heads.columns',
  headKeyFields: 'heads.key_fields',
  keySource: 'heads.key_source',
  keyEvidence: 'heads.key_evidence',
  headIgnoreFields: 'heads.ignore_fields',
  headHeaderRow: 'heads.header_row',
  dialect: 'heads.dialect',
  headDialectVersion: 'heads.dialect_version',
  bodySha256: 'heads.body_sha256',
  bodyBytes: 'heads.body_bytes',
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
  lastOutcome: 'heads.last_outcome',
  lastErrorCode: 'heads.last_error_code',
  lastErrorDetail: 'heads.last_error_detail',
  consecutiveFailures: 'heads.consecutive_failures',
  nextCheckAt: 'heads.next_check_at',
} as const satisfies Record<keyof TrackedRecord, string>;

/** For a select from `records` joined with `record_heads as heads`: named as TrackedRecord names them. */
export const RECORD_COLUMNS = Object.entries(FIELDS)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

/** A query for records; `select` narrows no further, so every caller gets whole ones. */
export type RecordsQuery = Knex.QueryBuilder<TrackedRecord, TrackedRecord[]>;

function withHeads(db: Database): RecordsQuery {
  const query = db('records')
    .join('record_heads as heads', 'heads.record_id', 'records.id')
    .select<TrackedRecord[]>(db.raw(RECORD_COLUMNS))
    .whereNull('records.deleted_at');
  // knex cannot see through a raw column list: the type says what it gives.
  return query;
}

/** The only way from a credential to records: every read of a record's data starts here. */
export function visibleRecords(db: Database, principal: Principal): RecordsQuery {
  const mine = withHeads(db).where('records.account_id', principal.accountId);
  return principal.kind === 'account' ? mine : mine.where('records.id', principal.recordId);
}

/** A record by id or slug (or `self`, for a credential of one record), if this principal may see it. */
export async function findVisibleRecord(
  db: Database,
  principal: Principal,
  reference: string,
): Promise<TrackedRecord | undefined> {
  const visible = visibleRecords(db, principal);
  if (reference !== 'self') return visible.where(columnOf(reference), reference).first();
  return principal.kind === 'account' ? undefined : visible.first();
}

/** The record that an event belongs to, if the principal may see it. */
export async function findRecordOfEvent(
  db: Database,
  principal: Principal,
  eventId: string,
): Promise<TrackedRecord | undefined> {
  const ofEvent = db('delta_events').select('recordId').where({ id: eventId });
  return visibleRecords(db, principal).where('records.id', ofEvent).first();
}

/** Where a reference in a path is looked for: a slug has no underscore, an id has one. */
export const columnOf = (reference: string): 'records.id' | 'records.slug' =>
  reference.includes('_') ? 'records.id' : 'records.slug';

/** A record by id, whoever asks: for activities, which act for the record itself. */
export function findRecord(db: Database, id: string): Promise<TrackedRecord | undefined> {
  return withHeads(db).where('records.id', id).first();
}

/** Those of these records that are deleted, or whose session is over. */
export async function listGone(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await rawRows<{ id: string }>(
    db,
    `select wanted.id from unnest(?::text[]) as wanted (id)
     left join records on records.id = wanted.id and records.deleted_at is null
     left join ephemeral_sessions sessions on sessions.record_id = records.id
     where records.id is null or sessions.expires_at <= now()`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}

export interface CheckTimes {
  /** 0 when it is overdue or none is planned. */
  nextCheckInMs: number;
  /** Since the origin was last asked. Null before the first check. */
  sinceLastCheckMs: number | null;
  /** Until the record's session is over, 0 when it is; null for a record without one. */
  sessionEndsInMs: number | null;
}

/** How far a record's checks are from now, by the clock that wrote their times: a worker's may differ. */
export async function readCheckTimes(db: Database, id: string): Promise<CheckTimes> {
  const [times] = await rawRows<CheckTimes>(
    db,
    `select greatest(0, extract(epoch from next_check_at - now())::double precision * 1000) as "nextCheckInMs",
       extract(epoch from now() - origin_asked_at)::double precision * 1000 as "sinceLastCheckMs",
       case when expires_at is not null
         then greatest(0, extract(epoch from expires_at - now())::double precision * 1000) end as "sessionEndsInMs"
     from record_heads heads left join ephemeral_sessions using (record_id) where heads.record_id = ?`,
    [id],
  );
  return times ?? { nextCheckInMs: 0, sinceLastCheckMs: null, sessionEndsInMs: null };
}

/**
 * Inserts a record that is due at once, and the credentials that it shows its origin.
 * @throws UniqueViolationError when the slug is taken, ApiError unauthenticated when the account is deleted
 */
export async function insertRecord(
  db: Database,
  record: NewRecord,
  credentials: SealedCredentials | null = null,
): Promise<void> {
  await db.transaction(async (trx) => {
    await holdAccount(trx, record.accountId);
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

/**
 * Locks a record of an account until the end of the transaction, as it is now. Whoever commits a check or creates a
 * key meanwhile does not wait for it.
 * @returns undefined when the account has none under this id (any more)
 */
export async function lockRecord(
  trx: Knex.Transaction,
  { id, accountId }: Pick<RecordModel, 'id' | 'accountId'>,
): Promise<LockedRecord | undefined> {
  const [record] = await rawRows<Omit<LockedRecord, 'generation'>>(
    trx,
    `select id, account_id as "accountId", slug, name, url, tier, auth_type as "authType",
       auth_version as "authVersion", format, delimiter, rows_path as "rowsPath", header_row as "headerRow", key_fields as "keyFields",
       ignore_fields as "ignoreFields", dialect_version as "dialectVersion"
     from records where id = ? and account_id = ? and deleted_at is null for no key update`,
    [id, accountId],
  );
  if (record === undefined) return undefined;
  // Asked only now that the lock is held: a check that was being committed may have begun a generation.
  const [head] = await rawRows<Pick<LockedRecord, 'generation'>>(
    trx,
    'select generation from record_heads where record_id = ?',
    [id],
  );
  return head === undefined ? undefined : { ...record, ...head };
}

export type LockedRecord = Pick<
  RecordModel,
  | 'id'
  | 'accountId'
  | 'slug'
  | 'name'
  | 'url'
  | 'tier'
  | 'authType'
  | 'authVersion'
  | 'format'
  | 'delimiter'
  | 'rowsPath'
  | 'headerRow'
  | 'keyFields'
  | 'ignoreFields'
  | 'dialectVersion'
> & {
  /** Of the rows that are stored, or are to be first. */
  generation: number;
};

/**
 * Makes a record vanish for everybody at once, and ends its session if it has one; its workflow erases its data
 * afterwards.
 */
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
 * Puts the time of the next check where readers and reconciling find it. An active record always has one, a paused
 * one none, whatever the caller saw before: without a time, nobody would find a record whose workflow is lost.
 */
export async function setNextCheck(db: Database, id: string, inMs: number | null): Promise<void> {
  await rawRows(
    db,
    `update record_heads set next_check_at = (
       select now() + coalesce(:inMs::double precision, 0) * interval '1 millisecond' from records
       where records.id = :id and status = 'active')
     where record_id = :id`,
    { id, inMs },
  );
}

/** Takes back a rule that the stored body cannot be read under, unless another one was asked for meanwhile. */
export async function restoreRule(
  db: Database,
  record: Pick<
    TrackedRecord,
    | 'id'
    | 'keyFields'
    | 'ignoreFields'
    | 'headerRow'
    | 'startsOverGeneration'
    | 'keySource'
    | 'headKeyFields'
    | 'headIgnoreFields'
    | 'headHeaderRow'
  >,
): Promise<void> {
  const { id, keyFields, ignoreFields, headerRow, startsOverGeneration } = record;
  await rawRows(
    db,
    `update records set key_fields = :before::text[], ignore_fields = :ignoredBefore::text[],
       header_row = :headerBefore::integer, updated_at = now()
     where id = :id and key_fields is not distinct from :keyFields::text[] and ignore_fields = :ignoreFields::text[]
       and header_row is not distinct from :headerRow::integer
       and starts_over_generation is not distinct from :startsOverGeneration::integer`,
    {
      id,
      keyFields,
      ignoreFields,
      headerRow,
      startsOverGeneration,
      before: record.keySource === 'given' ? record.headKeyFields : null,
      ignoredBefore: record.headIgnoreFields,
      headerBefore: record.headHeaderRow,
    },
  );
}
