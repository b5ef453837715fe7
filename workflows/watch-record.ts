// The workflow of one record: waits for the next check or a signal, checks, starts deliveries, continues as new.
//
// Handlers only note requests (isPlanStale, requestedCheckId). The loop below acts on one of them at a time, so signals may
// arrive in any order and at any time, also during a check. The workflow holds no settings: every activity reads them from
// Postgres and returns the resulting plan.
import {
  condition,
  continueAsNew,
  log,
  setCurrentDetails,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { timeInWords } from '../core/durations.ts';
import { makeId } from '../core/ids.ts';
import { checkOnce, settleOnce } from './check-once.ts';
import {
  checkNow,
  type CheckPlan,
  type CommittedCheck,
  deleted,
  paused,
  type PlanResult,
  type RecordAttributes,
  resumed,
  settingsChanged,
  type WatchRecordInput,
} from './contract.ts';
import { publishAttributes } from './search-attributes.ts';
import { QUICK, quick, SWEEP, sweeps } from './proxies.ts';
import { startFirstAttempts } from './start-first-attempts.ts';

const MAX_HISTORY_EVENTS = 400;

interface Watch {
  readonly recordId: string;
  readonly maxHistoryEvents: number;
  plan: CheckPlan;
  plannedAtMs: number;
  /** When the record's session ends; null without a session. Then the workflow asks Postgres whether it has ended. */
  endsAtMs: number | null;
  /** Something in Postgres may have changed, so the plan must be read again. */
  isPlanStale: boolean;
  /** Id of a requested check, which its caller knows and whose fetch has not begun. */
  requestedCheckId: string | null;
  /** Ids promised by a run that got stuck. These checks come before new requests. */
  promisedCheckIds: string[];
  /** A stored body that must be committed first. */
  settle: PlanResult['settle'];
  attributes: RecordAttributes | null;
  lastWords: string;
  /** First attempts in flight. They delay continue-as-new and nothing else. */
  deliveriesInFlight: number;
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
    else if (isAskedForCheck(watch) || millisecondsUntilDue(watch) === 0) await runCheck(watch);
    else await waitForWork(watch);
  }
  await condition(() => watch.deliveriesInFlight === 0);
  setCurrentDetails('Deleted: erasing rows, events and bodies.');
  await sweeps.eraseRecord.executeWithOptions({ ...SWEEP, summary: 'erase the deleted record' }, [
    watch.recordId,
  ]);
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
    lastWords: resume?.lastWords ?? 'No check yet.',
    deliveriesInFlight: 0,
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
  watch.isPlanStale = false;
  const {
    plan,
    attributes,
    endsInMs = null,
    settle,
  } = await quick.planCheck.executeWithOptions({ ...QUICK, summary: 'plan the next check' }, [
    watch.recordId,
  ]);
  adopt(watch, plan, attributes);
  watch.settle = settle;
  watch.endsAtMs = endsInMs === null ? null : Date.now() + endsInMs;
}

function adopt(watch: Watch, plan: CheckPlan, attributes: RecordAttributes | null): void {
  watch.plan = plan;
  watch.plannedAtMs = Date.now();
  watch.attributes = publishAttributes(watch.attributes, attributes);
}

async function runCheck(watch: Watch): Promise<void> {
  const requested = takeRequest(watch);
  setCurrentDetails(`${watch.lastWords}\n\nChecking now.`);
  const committed = await checkOnce({
    recordId: watch.recordId,
    checkId: requested ?? makeId('check', Date.now(), uuid4()),
    trigger: requested === null ? 'schedule' : 'manual',
  });
  conclude(watch, committed);
}

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
  setCurrentDetails(`${watch.lastWords}\n\nReading a stored body now.`);
  const checkId = makeId('check', Date.now(), uuid4());
  conclude(watch, await settleOnce({ recordId: watch.recordId, checkId, trigger }));
}

function conclude(watch: Watch, committed: CommittedCheck): void {
  adopt(watch, committed.plan, committed.attributes);
  watch.isPlanStale ||= committed.isPlanStale === true;
  watch.lastWords = committed.words;
  if (committed.deliver !== null) {
    watch.deliveriesInFlight += 1;
    void startFirstAttempts(committed.deliver)
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

async function waitForWork(watch: Watch): Promise<void> {
  const hasWork = (): boolean =>
    watch.isPlanStale ||
    watch.requestedCheckId !== null ||
    // First attempts may have ended, so that the run can continue as new.
    isTimeToContinue(watch);
  const dueInMs = millisecondsUntilDue(watch);
  const endsInMs = watch.endsAtMs === null ? null : watch.endsAtMs - Date.now();
  if (endsInMs !== null && (dueInMs === null || endsInMs < dueInMs)) {
    await condition(hasWork, endsInMs, { summary: 'until the session is over' });
  } else if (dueInMs === null) await condition(hasWork);
  else await condition(hasWork, dueInMs, { summary: 'until the next check' });
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
    },
  });
}

function tellOperator(watch: Watch): void {
  const dueInMs = millisecondsUntilDue(watch);
  const next =
    dueInMs === null ? 'Paused: no check is planned.' : `Next check at ${timeInWords(Date.now() + dueInMs)}.`;
  const end =
    watch.endsAtMs === null
      ? ''
      : ` Its session is over at ${timeInWords(watch.endsAtMs)}; then it is erased.`;
  setCurrentDetails(`${watch.lastWords}\n\n${next}${end}`);
}
