// Checks and their outcomes. Checks without rows (unchanged, held, failed) are committed here, each in one statement;
// db/commit/commit-delta.ts commits those with rows. Unchanged checks that say nothing else have short rows
// (db/unchanged-checks.ts).
import { asksOrigin, type CheckWarning, type OriginAnswer } from '../../core/checks.ts';
import type { PendingDeliveries } from '../../core/deliveries.ts';
import type { CheckErrorCode } from '../../core/errors.ts';
import { type Database, isPostgresError, type Knex, rawRows } from '../driver/knex.ts';
import { IS_TOLD_NOW, NOTE_FAILURES, wasTold } from '../webhooks/failed-check-news.ts';
import { isoTime, owedForCheck, recoveredData } from '../webhooks/new-deliveries.ts';
import type { CheckFacts, HeldChanges, OriginAskedBefore, Validators } from './commit-facts.ts';
import { uuidOf } from '../unchanged-checks.ts';

/**
 * The time of a commit, in milliseconds, as the API shows it. Evaluated under the lock of the head and always later than
 * the previous check, so that a client that polls by time misses no event. Each evaluation reads the clock, so two of one
 * statement may differ.
 */
export const CHECKED_AT = `greatest(
  date_trunc('milliseconds', clock_timestamp()), last_checked_at + interval '1 millisecond')`;

/** By the clock of the worker, which may be ahead of the database's. `head` is the updated row of `record_heads`. */
const STARTED_AT = 'least(:startedAt::timestamptz, last_checked_at)';

/** Null while the record is paused, also if it was paused during the check. */
export const NEXT_CHECK = `(
  select clock_timestamp() + :nextCheckInMs::double precision * interval '1 millisecond' from records
  where records.id = :recordId and status = 'active'
)`;

/** Violating one of these means that the check is already committed. */
const ONE_PER_CHECK = ['checks_pkey', 'delta_events_check_id_key', 'unchanged_checks_pkey'];

/** Whether a check is not committed yet, as far as the statement can see. A trigger refuses what another one commits meanwhile. */
export const IS_NEW = `not exists (select from checks where id = :id)
  and not exists (select from unchanged_checks where id = :digits::uuid)`;

/**
 * Runs a statement that inserts a check, unless the check exists.
 * @param owed SQL of the number of its deliveries
 * @returns the check's pending deliveries; null when it has none; undefined when nothing was inserted
 */
async function commitOnce(
  db: Database,
  sql: string,
  bindings: Knex.ValueDict,
  owed = `(select count(*) from owed where status = 'pending')`,
): Promise<PendingDeliveries | null | undefined> {
  try {
    const [check] = await rawRows<PendingDeliveries>(
      db,
      `${sql} select :id as "checkId", ${owed} as count from head`,
      bindings,
    );
    return check?.count === 0 ? null : check;
  } catch (error) {
    // A second run of the activity committed first. This statement wrote nothing.
    const isCommitted =
      isPostgresError(error, 'uniqueViolation') && ONE_PER_CHECK.includes(error.constraint ?? '');
    if (!isCommitted) throw error;
    return undefined;
  }
}

/** Another check has committed other data since this one read the record. */
export class OvertakenError extends Error {
  constructor() {
    super('Another check was committed meanwhile');
    this.name = 'OvertakenError';
  }
}

const RECOVERED = owedForCheck(
  'check.recovered',
  `case when head.failed_since is not null and ${wasTold('head.record_id', 'head.failed_since')}
    then ${recoveredData(':id::text', 'head.failed_since')} end`,
);

/**
 * Adds the short row of an unchanged check, which is its event too. `head` is its updated row of `record_heads`.
 * @param isShort SQL of whether the row says all that there is to say
 */
export const insertShortRow = (isShort: string): string => `
  insert into unchanged_checks (id, record_no, started_at, finished_at, bytes, number, event_number, sequence, http_status,
    trigger)
  select :digits::uuid, record_no, ${STARTED_AT}, last_checked_at, :bytes, check_number, event_number, sequence, :httpStatus,
    :trigger
  from head where ${isShort}
  returning id`;

/** A recovery owes deliveries, which refer to a check. */
const IS_SHORT = `failed_since is null and :digits::uuid is not null and :httpStatus::integer is not null`;

/** Whether the origin has been asked since this check read the record, in milliseconds, as JavaScript has the time. */
const IS_ASKED_SINCE = `date_trunc('milliseconds', origin_asked_at) is distinct from :originAskedBefore::timestamptz`;

/** A held body with its line end, or a rejected one, ends a run. The accepted body still lacks the line end of the table. */
const RUN_AFTER_HOLD = `case when rejected_rows is not null or held_body is not null and held_body -> 'openEndedRun' is null
    then jsonb_set(open_ended_run::jsonb, '{bodies}', '0')::json else open_ended_run end`;

/** @param condition SQL on the record's head so far */
const unchangedHead = (condition: string): string => `
  update record_heads set
    check_number = check_number + 1, event_number = event_number + 1, last_checked_at = ${CHECKED_AT},
    last_outcome = 'unchanged', last_error_code = null, last_error_detail = null, consecutive_failures = 0,
    next_check_at = ${NEXT_CHECK},
    validated_url_hash = :urlHash, etag = :etag, last_modified = :lastModified, held_rows = null, held_sha256 = null,
    held_check_id = null, held_body = null, is_held_accepted = false, rejected_rows = null,
    open_ended_run = ${RUN_AFTER_HOLD},
    origin_asked_at = ${CHECKED_AT},
    failing_since = null
  where record_id = :recordId and ${IS_NEW}
    and coalesce(snapshot_id = :comparedWith::text, :comparedWith::text is null)
    and not (:mayBeOvertaken::boolean and ${IS_ASKED_SINCE}) and ${condition}
  returning new.*, old.failing_since as failed_since`;

/** Nearly every check. To plan the statement for the others would cost more than to run this one. */
const COMMIT_SHORT = `with head as (${unchangedHead('failing_since is null')}), short as (${insertShortRow('true')})`;

const COMMIT_UNCHANGED = `
  with head as (${unchangedHead('true')}), short as (${insertShortRow(IS_SHORT)}), event as (
    insert into delta_events (id, record_id, number, check_id, snapshot_id, previous_snapshot_id, generation,
      sequence, detected_at, is_no_change, unchanged_count, total_count)
    select 'evt_' || replace(uuidv7()::text, '-', ''), record_id, event_number, :id, snapshot_id, snapshot_id,
      generation, sequence, last_checked_at, true, total_rows, total_rows
    from head where not (${IS_SHORT})
    returning id
  ), owed as (${RECOVERED}), made as (
    insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
      snapshot_id, delta_event_id)
    select :id, record_id, check_number, :trigger, ${STARTED_AT}, last_checked_at, 'unchanged', :httpStatus, :bytes,
      total_rows, snapshot_id, (select id from event)
    from head where not (${IS_SHORT})
  )`;

/**
 * Commits a check whose body is the accepted one, with its no-change event, in one statement; after failures in a second one.
 * Idempotent on the check's id.
 * @param comparedWith the snapshot that the body was found to be equal to; by default the latest
 * @throws OvertakenError when another snapshot is the latest by now, or the origin was asked for another check meanwhile
 */
export async function commitUnchangedCheck(
  db: Database,
  { originAskedBefore, ...check }: CheckFacts & { originAskedBefore?: OriginAskedBefore },
  validators: Validators,
  comparedWith: string | null = null,
): Promise<PendingDeliveries | null> {
  const digits = uuidOf('check', check.id);
  const mayBeOvertaken = originAskedBefore !== undefined;
  const asRead = { comparedWith, mayBeOvertaken, originAskedBefore: originAskedBefore ?? null };
  const bindings = { ...check, ...validators, ...asRead, digits };
  const mayBeShort = digits !== null && check.httpStatus !== null;
  if (mayBeShort && (await commitOnce(db, COMMIT_SHORT, bindings, '0')) !== undefined) return null;
  const deliver = await commitOnce(db, COMMIT_UNCHANGED, bindings);
  if (deliver === undefined && (comparedWith !== null || mayBeOvertaken))
    await refuseOvertaken(db, check, IS_NO_LONGER_AS_READ, asRead);
  return deliver ?? null;
}

const IS_NO_LONGER_AS_READ = `(snapshot_id is distinct from coalesce(:comparedWith::text, snapshot_id)
  or :mayBeOvertaken::boolean and ${IS_ASKED_SINCE})`;

/**
 * A zombie attempt, whose worker was given up, may come to its end long after the next check.
 * @param isOvertaken SQL about the head
 */
async function refuseOvertaken(
  db: Database,
  { id, recordId }: CheckFacts,
  isOvertaken: string,
  bindings: Knex.ValueDict,
): Promise<void> {
  const [overtaken] = await rawRows(
    db,
    `select from record_heads where record_id = :recordId and ${isOvertaken} and ${IS_NEW}`,
    { ...bindings, id, recordId, digits: uuidOf('check', id) },
  );
  if (overtaken !== undefined) throw new OvertakenError();
}

interface CheckProblem {
  /** A hash of the settings that the check was made with. */
  settings?: string;
  code: CheckErrorCode;
  detail: string;
  answer?: OriginAnswer | null;
  warnings?: CheckWarning[];
}

/** A body that waits for confirmation. */
interface HeldBody {
  sha256: string;
  /** The facts of its fetch, needed to read it again (HeldFacts in activities/checks). */
  facts: unknown;
  /** Null when the key repeats, so that rows cannot be compared. */
  changes: HeldChanges | null;
  /** Whether such a body is already held, or was rejected since the last good check. Its time counts then. */
  isHeldAgain: boolean;
}

/** A series of failures is reported once. */
const FAILED = owedForCheck(
  'check.failed',
  `case when head.failing_since is not null and ${IS_TOLD_NOW} then json_build_object('checkId', :id::text,
     'failingSince', ${isoTime('head.failing_since')}, 'error', json_build_object('code', :code::text, 'detail', :detail::text))
   end`,
);

/** A second body that is held for the same reason sends no second `check.held`, as in the feed (feed_news). */
const HELD = owedForCheck(
  'check.held',
  `case when head.held_since is distinct from head.held_since_before then
     json_build_object('checkId', :id::text, 'error', json_build_object('code', :code::text, 'detail', :detail::text)) end`,
);

/** A stored body that could not be read does not replace the error of a failing origin. */
const SHOWS_OUTCOME = '(:isOfOrigin or consecutive_failures = 0)';

/** A body that somebody has accepted is committed first, whatever is held after it. */
const IS_HELD = `(:outcome = 'held' and not is_held_accepted)`;

/** Of a check that failed or is held. */
const UPDATE_HEAD = `update record_heads set
    check_number = check_number + 1,
    (last_checked_at, origin_asked_at, failing_since) = (
      select at, case when :isOfOrigin then at else origin_asked_at end,
        case when :isOfOrigin and :outcome = 'failed' then coalesce(failing_since, at) else failing_since end
      from (select ${CHECKED_AT} as at) moment),
    last_outcome = case when ${SHOWS_OUTCOME} then :outcome else last_outcome end,
    last_error_code = case when ${SHOWS_OUTCOME} then :code else last_error_code end,
    last_error_detail = case when ${SHOWS_OUTCOME} then :detail else last_error_detail end,
    next_check_at = ${NEXT_CHECK},
    consecutive_failures = case when not :isOfOrigin then consecutive_failures when :outcome = 'failed'
      then consecutive_failures + 1 else 0 end,
    held_rows = case when ${IS_HELD} then :heldRows::bigint else held_rows end,
    held_sha256 = case when ${IS_HELD} then :heldSha256 else held_sha256 end,
    held_check_id = case when ${IS_HELD} then :id else held_check_id end,
    held_since = case when ${IS_HELD} and not :isHeldAgain then clock_timestamp() else held_since end,
    held_body = case when ${IS_HELD} then :heldBody::json else held_body end,
    ruled_check = check_number + 1, quoting_check = check_number + 1,
    failed_settings = case when :isOfOrigin then :settings else failed_settings end`;

/**
 * Commits a check that failed or is held. It writes no event, because nothing certain is known about the data. Idempotent
 * on the check's id.
 * @throws OvertakenError the origin was asked for another check meanwhile
 */
export async function commitProblemCheck(
  db: Database,
  outcome: 'failed' | 'held',
  { originAskedBefore, ...check }: CheckFacts & { originAskedBefore?: OriginAskedBefore },
  problem: CheckProblem,
  held: HeldBody | null = null,
): Promise<PendingDeliveries | null> {
  const deliver = await commitOnce(
    db,
    `with head as (
       ${UPDATE_HEAD}
       where record_id = :recordId and ${IS_NEW} and ${originAskedBefore === undefined ? 'true' : `not (${IS_ASKED_SINCE})`}
       returning new.*, old.failing_since as failed_since, old.held_since as held_since_before
     ), ${outcome === 'held' ? `owed as (${HELD})` : `noted as (${NOTE_FAILURES}), owed as (${FAILED})`}, made as (
       insert into checks (id, record_id, number, trigger, started_at, finished_at, outcome, http_status, bytes, rows,
         snapshot_id, error_code, error_detail, answer, warnings, held_changes)
       select :id, record_id, check_number, :trigger, ${STARTED_AT}, last_checked_at, :outcome, :httpStatus, :bytes, :rows,
         snapshot_id, :code, :detail, :answer::json, :warnings::json, :heldChanges::json
       from head
     )`,
    {
      ...check,
      originAskedBefore: originAskedBefore ?? null,
      digits: uuidOf('check', check.id),
      outcome,
      isOfOrigin: asksOrigin(check.trigger),
      heldSha256: held?.sha256 ?? null,
      // Rows that cannot be told apart confirm no drop of others.
      heldRows: held?.changes === null ? null : check.rows,
      isHeldAgain: held?.isHeldAgain ?? false,
      heldBody: held === null ? null : JSON.stringify(held.facts),
      heldChanges: held?.changes ? JSON.stringify(held.changes) : null,
      code: problem.code,
      detail: problem.detail,
      answer: problem.answer ? JSON.stringify(problem.answer) : null,
      settings: problem.settings ?? null,
      warnings: JSON.stringify(problem.warnings ?? []),
    },
  );
  if (deliver === undefined && originAskedBefore !== undefined)
    await refuseOvertaken(db, check, IS_ASKED_SINCE, { originAskedBefore });
  return deliver ?? null;
}
