// A record's checks on schedule, as attempts of one activity: Temporal's pattern for infrequent polling. An attempt that
// finds nothing new fails with the time to the next check. So the workflow sleeps, and its history does not grow.
import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { timeInWords } from '../../core/durations.ts';
import { kindsOf, typeOf } from '../../core/error-kinds.ts';
import { makeId } from '../../core/ids.ts';
import { findScheduledRecord, type ScheduledRecord } from '../../db/records/records.ts';
import { findPendingDeliveries } from '../../db/webhooks/deliveries.ts';
import {
  type CheckInput,
  type CommittedCheck,
  type FetchResult,
  NOTHING_NEW,
  type PollInput,
  type PollResult,
} from '../../workflows/contract.ts';
import { noteInTrace } from '../../telemetry/spans.ts';
import {
  heartbeating,
  recordHeartbeatDetails,
  setHeartbeatDetails,
  lastHeartbeatDetails,
} from '../heartbeating.ts';
import { briefly, type CheckDeps, withBriefComparisonSlot, fairnessKeyOf } from './check-deps.ts';
import { committed } from './committed-check.ts';
import { attributesOf } from './record-attributes.ts';
import { recordFailedCheck } from './internal-failure.ts';
import { fetchInTurn } from './fetch-source.ts';
import { compareAndRecord } from './record-delta.ts';

/** How often a check may be begun before it is committed as failed: it kills its workers, or cannot be made here. */
const MOST_TRIES = 6;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** An attempt that is scheduled further than this from its check's due time follows one that died. */
const BESIDE_MS = 4_000;
/** A larger body is compared in an activity of its own, which has more time and does not fetch again after a crash. */
const COMPARED_AT_ONCE_BYTES = 1024 * 1024;
/** Records whose turn at their origin is remembered. */
const MOST_TURNS = 100_000;

/** The state that an attempt hands to the next one, which may run in another worker. */
interface PollProgress {
  /** A check that was begun and not ended. */
  checkId: string | null;
  /** When the record had been checked before that, in milliseconds since the epoch. */
  afterMs: number | null;
  /** How often it was begun. */
  tries: number;
  /** Attempts in a row that failed on our side. */
  faults: number;
  /** Whether the record has waited for its turn at the origin. */
  hasWaited: boolean;
}

const NO_PROGRESS: PollProgress = { checkId: null, afterMs: null, tries: 0, faults: 0, hasWaited: false };

/**
 * Makes the check that is due, and returns what the workflow has to act on or to show: a change, a large body to compare,
 * deliveries, another plan, other search attributes. An attempt whose predecessor died makes the same check, which is committed once.
 * @throws ApplicationFailure of the type NOTHING_NEW when there is nothing of that kind; its `nextRetryDelay` is the time to
 *   the next check
 */
export function pollSource(deps: CheckDeps, input: PollInput): Promise<PollResult> {
  return heartbeating(async () => {
    const { info, cancellationSignal } = Context.current();
    // Heartbeat details of this activity.
    const earlier = ((info.heartbeatDetails ?? input.noteLeft) as PollProgress | undefined) ?? NO_PROGRESS;
    const own = { progress: earlier };
    const begin = (progress: PollProgress, mayHaveDied: boolean): void => {
      own.progress = progress;
      // Most attempts end before their first heartbeat, and cost none.
      if (mayHaveDied) recordHeartbeatDetails(progress);
      else setHeartbeatDetails(progress);
    };
    try {
      return await attempt(deps, input, earlier, begin);
    } catch (error) {
      if (error instanceof NothingNew) {
        // No other attempt follows a poll that is stopped.
        const isLast = Context.current().cancellationDetails?.cancelRequested === true;
        if (!isLast && !isDeepStrictEqual(error.progress, lastHeartbeatDetails() ?? earlier))
          recordHeartbeatDetails(error.progress);
        throw error.failure();
      }
      if (cancellationSignal.aborted) throw error;
      const faults = earlier.faults + 1;
      recordHeartbeatDetails({ ...own.progress, faults });
      const delayMs = own.progress.tries >= MOST_TRIES ? FIRST_RETRY_MS : FIRST_RETRY_MS * 3 ** (faults - 1);
      deps.log.warn({ err: error, recordId: input.recordId }, 'a check on schedule failed on our side');
      throw faultOf(error, Math.min(LONGEST_RETRY_MS, delayMs));
    }
  });
}

async function attempt(
  deps: CheckDeps,
  input: PollInput,
  earlier: PollProgress,
  begin: (progress: PollProgress, mayHaveDied: boolean) => void,
): Promise<PollResult> {
  refuseEarlyStart(input);
  const fairnessKey = input.attributes?.share ?? '';
  const record = await briefly(deps, fairnessKey, () => findScheduledRecord(deps.db, input.recordId));
  if (record === undefined || record.status === 'paused' || record.isSessionOver) return STALE;
  const { nextCheckAt, untilDueMs } = record;
  if (nextCheckAt === null) return STALE;
  // Compares the time of the previous check, not the check's id. A signal changes the due time of an overdue check, and the id
  // is derived from it.
  const afterMs = record.lastCheckedAt?.getTime() ?? null;
  const isSame = earlier.checkId !== null && earlier.afterMs === afterMs;
  const isSuspect = !isSame && mayFollowDeath(input, earlier, nextCheckAt);
  const untold = await findUntold(deps, input, record, earlier);
  if (untold !== undefined) return untold;
  if (untilDueMs > 0) throw new NothingNew(waitingWords(record, nextCheckAt), untilDueMs);

  // Another URL is another origin.
  const turn = `${record.id} ${new URL(record.url).host}`;
  const turnInMs = (deps.turnsAtMs.get(turn) ?? 0) - Date.now();
  if (turnInMs > 0) throw new NothingNew(WAITS, turnInMs, earlier);
  const checkId = scheduledCheckId(record.id, nextCheckAt);
  const tries = isSame ? earlier.tries : isSuspect ? 1 : 0;
  if (tries >= MOST_TRIES) return giveUp(deps, input, checkId);
  const hasWaited = deps.turnsAtMs.delete(turn) || (isSame && earlier.hasWaited);
  const progress = { checkId, afterMs, tries, faults: 0, hasWaited };
  noteInTrace({ 'recordwatch.check.id': checkId });
  begin({ ...progress, tries: tries + 1 }, isSame || isSuspect);
  const check = { recordId: record.id, checkId, trigger: 'schedule', hasWaited } as const;
  const result = await untilStopped(deps, (stopped) => fetchAndCompare(deps, record, check, stopped));
  if (result.kind === 'fetched') return { ...result, checkId };
  if (result.kind === 'committed') return orNothingNew(input, result);
  noteTurn(deps, turn, result);
  // The check was not begun.
  throw new NothingNew(WAITS, result.waitMs, { ...progress, hasWaited: true });
}

/** Comparing a small body takes less time than handing it to another activity. */
async function fetchAndCompare(
  deps: CheckDeps,
  record: ScheduledRecord,
  check: CheckInput & { hasWaited: boolean },
  stopped: AbortSignal,
): Promise<FetchResult> {
  const result = await fetchInTurn(deps, record, check, stopped);
  const { comparedAtOnceBytes = COMPARED_AT_ONCE_BYTES } = deps;
  if (result.kind !== 'fetched' || result.body.sizeBytes > comparedAtOnceBytes) return result;
  return withBriefComparisonSlot(deps, fairnessKeyOf(record), stopped, () =>
    compareAndRecord(deps, { ...check, ...result }, record.originAskedAt),
  );
}

/** The first attempt of a poll comes at once. The workflow, which has just got the plan, says when its check is due. */
function refuseEarlyStart({ first, noteLeft }: PollInput): void {
  if (first === undefined || first.inMs <= 0 || noteLeft !== undefined) return;
  if (Context.current().info.attempt > 1) return;
  const next = timeInWords(Date.now() + first.inMs);
  throw new NothingNew(`${first.lastWords} Next check at ${next}.`, first.inMs);
}

function waitingWords({ lastOutcome, lastCheckedAt }: ScheduledRecord, nextCheckAt: Date): string {
  const next = `Next check at ${timeInWords(nextCheckAt.getTime())}.`;
  if (lastOutcome === null || lastCheckedAt === null) return next;
  return `Last check: ${lastOutcome}, ${timeInWords(lastCheckedAt.getTime())}. ${next}`;
}

const WAITS =
  'Waits for its turn: the origin is busy with other records, or too many bodies are being fetched or wait to be compared.';
const STALE = { kind: 'stale' } as const;

/**
 * Whether an attempt may have died before its first heartbeat, so that it left no details. Temporal noticed it seconds after the
 * check was due. Where the clocks of Temporal and PostgreSQL differ, it takes some more deaths until this shows.
 */
function mayFollowDeath({ noteLeft }: PollInput, { checkId }: PollProgress, nextCheckAt: Date): boolean {
  const { attempt, currentAttemptScheduledTimestampMs } = Context.current().info;
  if (attempt === 1) return noteLeft !== undefined && checkId === null;
  return Math.abs(currentAttemptScheduledTimestampMs - nextCheckAt.getTime()) > BESIDE_MS;
}

/** Finds a committed check that the workflow does not know: an attempt died after its commit, or another check was made meanwhile. */
async function findUntold(
  { db }: CheckDeps,
  { attributes, told }: PollInput,
  record: ScheduledRecord,
  earlier: PollProgress,
): Promise<CommittedCheck | undefined> {
  const { undeliveredCheckId } = record;
  const checkId = earlier.checkId ?? (undeliveredCheckId === told ? null : undeliveredCheckId);
  const deliver = checkId === null ? null : await findPendingDeliveries(db, checkId);
  if (deliver === null && (record.untilDueMs === 0 || isDeepStrictEqual(attributesOf(record), attributes))) {
    return undefined;
  }
  return committed(record, record.untilDueMs, {
    words: 'Committed by an earlier attempt.',
    failures: record.consecutiveFailures,
    errorCode: record.lastErrorCode,
    deliver,
  });
}

/** All attempts at a check give it the same id, so it is committed once: the time at which it is due identifies it. */
function scheduledCheckId(recordId: string, dueAt: Date): string {
  const hash = createHash('sha256').update(`${recordId} ${dueAt.toISOString()}`).digest('hex');
  return makeId('check', dueAt.getTime(), hash);
}

function orNothingNew({ attributes }: PollInput, check: CommittedCheck): CommittedCheck {
  const { plan, words, deliver, isPlanStale = false, isChange = false } = check;
  const isNews =
    isChange || isPlanStale || deliver !== null || !isDeepStrictEqual(check.attributes, attributes);
  if (isNews || plan.kind !== 'check') return check;
  throw new NothingNew(words, plan.inMs);
}

/** A poll that is stopped while it waits must not lose its turn: settings may change more often than turns come. */
function noteTurn(
  { turnsAtMs }: CheckDeps,
  turn: string,
  { waitMs }: Extract<FetchResult, { kind: 'later' }>,
): void {
  turnsAtMs.set(turn, Date.now() + waitMs);
  const [oldest] = turnsAtMs.keys();
  if (turnsAtMs.size > MOST_TURNS && oldest !== undefined) turnsAtMs.delete(oldest);
}

/** Ends an attempt that has nothing to tell the workflow. */
class NothingNew extends Error {
  readonly nextInMs: number;
  readonly progress: PollProgress;

  constructor(words: string, nextInMs: number, progress: PollProgress = NO_PROGRESS) {
    super(words);
    this.nextInMs = nextInMs;
    this.progress = progress;
  }

  failure(): ApplicationFailure {
    // Without a delay the server would take the one of the retry policy.
    const nextRetryDelay = Math.max(1, Math.ceil(this.nextInMs));
    const category = ApplicationFailureCategory.BENIGN;
    const { message } = this;
    return withoutStack(ApplicationFailure.create({ type: NOTHING_NEW, message, nextRetryDelay, category }));
  }
}

/** Operators read the message at the pending activity. Temporal would store the stack with it. */
function withoutStack(failure: ApplicationFailure): ApplicationFailure {
  failure.stack = '';
  return failure;
}

/** A fault of ours: the database is unavailable, the disk is full. */
function faultOf(error: unknown, nextRetryDelay: number): ApplicationFailure {
  return withoutStack(
    ApplicationFailure.create({ type: typeOf(error), message: kindsOf(error), nextRetryDelay }),
  );
}

async function giveUp(deps: CheckDeps, { recordId }: PollInput, checkId: string): Promise<CommittedCheck> {
  const reason = `${MOST_TRIES} attempts at this check did not finish`;
  const startedAtMs = Date.now();
  return recordFailedCheck(deps, { recordId, checkId, trigger: 'schedule', startedAtMs, reason });
}

/**
 * Gives the work a signal that is aborted when its worker ends or the server has given the attempt up. A message to the
 * workflow does not abort it: frequent messages would otherwise stop every fetch from a slow origin.
 */
async function untilStopped<T>(
  { ending }: CheckDeps,
  work: (stopped: AbortSignal) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const { cancellationSignal } = context;
  const stop = new AbortController();
  const end = (): void => stop.abort(ending?.reason);
  const pass = (): void => {
    const { workerShutdown, timedOut, notFound } = context.cancellationDetails ?? {};
    if (workerShutdown === true || timedOut === true || notFound === true)
      stop.abort(cancellationSignal.reason);
  };
  if (ending?.aborted === true) end();
  if (cancellationSignal.aborted) pass();
  cancellationSignal.addEventListener('abort', pass);
  // `AbortSignal.any` would keep what listens to it for as long as this worker lives.
  ending?.addEventListener('abort', end);
  try {
    return await work(stop.signal);
  } finally {
    ending?.removeEventListener('abort', end);
    cancellationSignal.removeEventListener('abort', pass);
  }
}
