// The workflow of one record: waits for the next check or a signal, checks, starts deliveries, continues as new.
//
// Handlers only note requests (isPlanStale, requestedCheckId). The loop below acts on one of them at a time, so signals may
// arrive in any order and at any time, also during a check. The workflow holds no settings: every activity reads them from
// PostgreSQL and returns the resulting plan.
import {
  ActivityFailure,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  log,
  patched,
  rootCause,
  setCurrentDetails,
  setHandler,
  TimeoutFailure,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { timeInWords } from '../core/durations.ts';
import { makeId } from '../core/ids.ts';
import { plainMarkdown } from '../core/text/plain-markdown.ts';
import { checkOnce, compareOnce, settleOnce } from './check-once.ts';
import {
  type CheckInput,
  checkNow,
  type CheckPlan,
  type CommittedCheck,
  deleted,
  paused,
  type PlanResult,
  type PollInput,
  type PollResult,
  type RecordAttributes,
  resumed,
  settingsChanged,
  type WatchRecordInput,
} from './contract.ts';
import { publishAttributes } from './search-attributes.ts';
import { withFairnessKey, POLL, polls, QUICK, quick, SWEEP, sweeps } from './proxies.ts';
import { startFirstAttempts } from './start-first-attempts.ts';

const MAX_HISTORY_EVENTS = 400;
/** Checks on schedule are attempts of one activity. Runs that began before take it up at their next check. */
const POLLS = 'poll-source';
/** A poll that is stopped for a new plan need not have ended before the plan is made. */
const PLANS_AT_ONCE = 'plan-at-once';
const POLLING =
  'Checks on schedule are attempts of the pending activity pollSource: its last failure says what the latest one found, and its next attempt is the next check.';

interface Watch {
  readonly recordId: string;
  readonly maxHistoryEvents: number;
  plan: CheckPlan;
  plannedAtMs: number;
  /** When the record's session ends; null without a session. Then the workflow asks PostgreSQL whether it has ended. */
  endsAtMs: number | null;
  /** Something in PostgreSQL may have changed, so the plan must be read again. */
  isPlanStale: boolean;
  /** Id of a requested check, which its caller knows and whose fetch has not begun. */
  requestedCheckId: string | null;
  /** Ids promised by a run that got stuck. These checks come before new requests. */
  promisedCheckIds: string[];
  /** A stored body that must be committed first. */
  settle: PlanResult['settle'];
  attributes: RecordAttributes | null;
  /** The last news, for operators. */
  lastWords: string;
  /** The last check with deliveries that this run was notified of. */
  toldCheckId: string | null;
  /** First attempts in flight. They delay continue-as-new and nothing else. */
  deliveriesInFlight: number;
  /** The note of an attempt that died while its poll was being stopped. The next poll reports its commit and counts its deaths. */
  noteLeft: unknown;
}

export async function watchRecord(input: WatchRecordInput): Promise<void> {
  const watch = openWatch(input);
  listen(watch);
  while (watch.plan.kind !== 'deleted') {
    tellOperator(watch);
    if (watch.isPlanStale || isSessionOver(watch)) await replan(watch);
    else if (watch.settle !== undefined) await runSettlement(watch, watch.settle);
    else if (isTimeToContinue(watch)) await continueWatch(watch);
    else if (isTooLong(watch)) await condition(() => watch.deliveriesInFlight === 0);
    else if (isAskedForCheck(watch)) await runCheck(watch);
    else if (watch.plan.kind === 'check' && patched(POLLS)) await poll(watch);
    // Only histories older than the poll get here. For them, waitForWork has a timer until the next check.
    else if (millisecondsUntilDue(watch) === 0) await runCheck(watch);
    else await waitForWork(watch);
  }
  await condition(() => watch.deliveriesInFlight === 0);
  setCurrentDetails('Deleted: erasing rows, events and bodies.');
  const options = { ...SWEEP, ...priorityOf(watch), summary: 'erase the deleted record' };
  await sweeps.eraseRecord.executeWithOptions(options, [watch.recordId]);
}

function openWatch(input: WatchRecordInput): Watch {
  const { recordId, resume, promisedCheckIds = [], maxHistoryEvents = MAX_HISTORY_EVENTS } = input;
  return {
    recordId,
    promisedCheckIds,
    maxHistoryEvents,
    plan: resume?.plan ?? { kind: 'paused' },
    plannedAtMs: resume?.plannedAtMs ?? Date.now(),
    endsAtMs: resume?.endsAtMs ?? null,
    isPlanStale: resume === undefined,
    requestedCheckId: resume?.requestedCheckId ?? null,
    // Settled before a run continues as new.
    settle: undefined,
    attributes: resume?.attributes ?? null,
    lastWords: resume?.lastWords ?? 'No news yet.',
    toldCheckId: null,
    deliveriesInFlight: 0,
    noteLeft: resume?.noteLeft,
  };
}

function listen(watch: Watch): void {
  for (const signal of [settingsChanged, paused, resumed, deleted]) {
    setHandler(signal, () => {
      watch.isPlanStale = true;
    });
  }
  setHandler(checkNow, () => {
    watch.requestedCheckId ??= makeId('check', Date.now(), uuid4());
    return { checkId: watch.requestedCheckId };
  });
}

async function replan(watch: Watch): Promise<void> {
  adoptPlan(watch, await askForPlan(watch));
}

function askForPlan(watch: Watch): Promise<PlanResult> {
  watch.isPlanStale = false;
  const options = { ...QUICK, ...priorityOf(watch), summary: 'plan the next check' };
  return quick.planCheck.executeWithOptions(options, [watch.recordId]);
}

function adoptPlan(watch: Watch, { plan, attributes, endsInMs = null, settle }: PlanResult): void {
  adopt(watch, plan, attributes);
  watch.settle = settle;
  watch.endsAtMs = endsInMs === null ? null : Date.now() + endsInMs;
}

function adopt(watch: Watch, plan: CheckPlan, attributes: RecordAttributes | null): void {
  watch.plan = plan;
  watch.plannedAtMs = Date.now();
  watch.attributes = publishAttributes(watch.attributes, attributes);
}

/** A check on demand; in histories older than the poll, also one on schedule. */
async function runCheck(watch: Watch): Promise<void> {
  const requested = takeRequest(watch);
  showNews(watch, 'Checking now.');
  const check: CheckInput = {
    recordId: watch.recordId,
    checkId: requested ?? makeId('check', Date.now(), uuid4()),
    trigger: requested === null ? 'schedule' : 'manual',
  };
  conclude(watch, await checkOnce(check, priorityOf(watch)));
}

const priorityOf = ({ attributes }: Watch): ReturnType<typeof withFairnessKey> => withFairnessKey(attributes);

/**
 * Leaves the checks on schedule to one activity, until it finds something to act on or there is something else to do.
 * An attempt that is under way is waited for, so that checks never overlap.
 */
async function poll(watch: Watch): Promise<void> {
  const { recordId, attributes, noteLeft } = watch;
  const first = { inMs: millisecondsUntilDue(watch) ?? 0, lastWords: watch.lastWords };
  const input: PollInput = {
    recordId,
    attributes,
    first,
    ...(watch.toldCheckId === null ? {} : { told: watch.toldCheckId }),
    ...(noteLeft === undefined ? {} : { noteLeft }),
  };
  const options = { ...POLL, ...priorityOf(watch), summary: 'check on schedule' };
  const scope = new CancellationScope();
  let found: PollResult | undefined;
  let fault: unknown;
  let isOver = false;
  const run = async (): Promise<void> => {
    try {
      found = await scope.run(() => polls.pollSource.executeWithOptions(options, [input]));
    } catch (error) {
      fault = error;
    } finally {
      isOver = true;
    }
  };
  const polling = run();
  await waitFor(() => isOver || hasWork(watch), millisecondsUntilEnd(watch), UNTIL_END);
  const isStopped = !isOver;
  let plan: PlanResult | undefined;
  if (isStopped) {
    scope.cancel();
    const planning = watch.isPlanStale && patched(PLANS_AT_ONCE) ? askForPlan(watch) : undefined;
    await polling;
    plan = await planning;
  }
  const note = noteIn(fault);
  if (found !== undefined) watch.noteLeft = undefined;
  else if (note !== undefined) watch.noteLeft = note ?? noteLeft ?? null;
  if (found === undefined) {
    // Stopped while it waited, or at the end of an attempt that found nothing.
    if (!isStopped) conclude(watch, await failedPoll(watch, fault));
    else if (plan !== undefined && isCancellation(fault)) return adoptPlan(watch, plan);
  } else if (found.kind === 'stale') watch.isPlanStale = true;
  else if (found.kind === 'committed') conclude(watch, found);
  else {
    const { checkId, ...fetched } = found;
    const check: CheckInput = { recordId: watch.recordId, checkId, trigger: 'schedule' };
    conclude(watch, await compareOnce(check, fetched, priorityOf(watch)));
  }
  // The attempt under way has planned its next check by the previous settings.
  watch.isPlanStale ||= plan !== undefined;
}

/** @returns undefined when the attempt did not die, null when it died without a note */
const noteIn = (fault: unknown): unknown =>
  fault instanceof ActivityFailure && fault.cause instanceof TimeoutFailure
    ? (fault.cause.lastHeartbeatDetails ?? null)
    : undefined;

/** A poll retries without limit: an operator has ended it, or what it gave could not be read. */
const failedPoll = ({ recordId }: Watch, fault: unknown): Promise<CommittedCheck> =>
  quick.recordFailedCheck({
    recordId,
    checkId: makeId('check', Date.now(), uuid4()),
    trigger: 'schedule',
    startedAtMs: Date.now(),
    reason: rootCause(fault) ?? 'unknown',
  });

const isAskedForCheck = ({ requestedCheckId, promisedCheckIds }: Watch): boolean =>
  requestedCheckId !== null || promisedCheckIds.length > 0;

function takeRequest(watch: Watch): string | null {
  const promised = watch.promisedCheckIds.shift();
  if (promised !== undefined) return promised;
  const requested = watch.requestedCheckId;
  watch.requestedCheckId = null;
  return requested;
}

async function runSettlement(watch: Watch, trigger: NonNullable<PlanResult['settle']>): Promise<void> {
  watch.settle = undefined;
  showNews(watch, 'Reading a stored body now.');
  const checkId = makeId('check', Date.now(), uuid4());
  conclude(watch, await settleOnce({ recordId: watch.recordId, checkId, trigger }, priorityOf(watch)));
}

function conclude(watch: Watch, committed: CommittedCheck): void {
  adopt(watch, committed.plan, committed.attributes);
  watch.isPlanStale ||= committed.isPlanStale === true;
  watch.lastWords = `${committed.words} (${timeInWords(Date.now())})`;
  if (committed.deliver !== null) {
    watch.toldCheckId = committed.deliver.checkId;
    watch.deliveriesInFlight += 1;
    void startFirstAttempts(committed.deliver, priorityOf(watch))
      .catch((error: unknown) => log.warn('First attempts failed; reconciling will start them', { error }))
      .finally(() => {
        watch.deliveriesInFlight -= 1;
      });
  }
}

/** 0 when the check is due; null when none is planned. */
function millisecondsUntilDue({ plan, plannedAtMs }: Watch): number | null {
  return plan.kind === 'check' ? Math.max(0, plannedAtMs + plan.inMs - Date.now()) : null;
}

const isSessionOver = ({ endsAtMs }: Watch): boolean => endsAtMs !== null && endsAtMs <= Date.now();

function waitForWork(watch: Watch): Promise<void> {
  const dueInMs = millisecondsUntilDue(watch);
  const endsInMs = millisecondsUntilEnd(watch);
  if (dueInMs === null || (endsInMs !== null && endsInMs < dueInMs)) {
    return waitFor(() => hasWork(watch), endsInMs, UNTIL_END);
  }
  return waitFor(() => hasWork(watch), dueInMs, 'until the next check');
}

const UNTIL_END = 'until the session is over';

const millisecondsUntilEnd = ({ endsAtMs }: Watch): number | null =>
  endsAtMs === null ? null : endsAtMs - Date.now();

const hasWork = (watch: Watch): boolean =>
  watch.isPlanStale ||
  watch.requestedCheckId !== null ||
  // First attempts that ended may have cleared the way for continuing as new.
  isTimeToContinue(watch);

/** @param timeoutMs null for no end */
async function waitFor(isMet: () => boolean, timeoutMs: number | null, summary: string): Promise<void> {
  if (timeoutMs === null) await condition(isMet);
  else await condition(isMet, timeoutMs, { summary });
}

/** Long histories replay slowly, so a run ends at the first quiet point after its limit. */
function isTimeToContinue({ maxHistoryEvents, deliveriesInFlight }: Watch): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return deliveriesInFlight === 0 && (historyLength > maxHistoryEvents || continueAsNewSuggested);
}

/** Checks may start faster than first attempts end. Then the workflow waits for a quiet point. */
function isTooLong({ maxHistoryEvents }: Watch): boolean {
  return workflowInfo().historyLength > 2 * maxHistoryEvents;
}

async function continueWatch(watch: Watch): Promise<void> {
  await continueAsNew<typeof watchRecord>({
    recordId: watch.recordId,
    maxHistoryEvents: watch.maxHistoryEvents,
    ...(watch.promisedCheckIds.length === 0 ? {} : { promisedCheckIds: watch.promisedCheckIds }),
    resume: {
      plan: watch.plan,
      plannedAtMs: watch.plannedAtMs,
      endsAtMs: watch.endsAtMs,
      requestedCheckId: watch.requestedCheckId,
      attributes: watch.attributes,
      lastWords: watch.lastWords,
      ...(watch.noteLeft === undefined ? {} : { noteLeft: watch.noteLeft }),
    },
  });
}

function tellOperator(watch: Watch): void {
  const next = watch.plan.kind === 'check' ? POLLING : 'Paused: no check is planned.';
  const end =
    watch.endsAtMs === null
      ? ''
      : ` Its session is over at ${timeInWords(watch.endsAtMs)}; then it is erased.`;
  showNews(watch, `${next}${end}`);
}

/** The news may have names of columns and words of origins. */
function showNews({ lastWords }: Watch, state: string): void {
  setCurrentDetails(`${plainMarkdown(lastWords)}\n\n${state}`);
}
