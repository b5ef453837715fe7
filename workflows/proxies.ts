// Activities as workflows call them, with the timeouts and retries of each and the reasons for them.
import type { ActivityInterfaceFor, ActivityOptions } from '@temporalio/workflow';
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { type RecordAttributes, TASK_QUEUES } from './contract.ts';

/** One short statement. Retried without limit, because nothing works without the database. */
export const QUICK: ActivityOptions = {
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
};

/**
 * With the first retry after a second, another worker takes over at most 8 s after a worker died. Shorter timeouts would be
 * missed by workers that are only busy.
 */
const TAKEOVER: ActivityOptions = { heartbeatTimeout: '7 s' };

/**
 * One fetch, which has its own deadline of 10 minutes. Failures of the origin are results, so only our own faults are
 * retried: a worker that died (noticed by its missing heartbeat) or a database that was unreachable. Six attempts take about
 * 100 s, longer than a restart of the database. After that the check is recorded as failed on our side, so that a body that
 * kills its worker is not retried without end.
 */
export const FETCH: ActivityOptions = {
  startToCloseTimeout: '15 m',
  ...TAKEOVER,
  retry: { initialInterval: '1 s', backoffCoefficient: 3, maximumInterval: '1 m', maximumAttempts: 6 },
};

/**
 * One attempt is at most one check on schedule: an attempt that comes too early, or finds no slot, only waits again. An
 * attempt that finds nothing new fails on purpose and names the time to the next one, so the activity stays scheduled for months and its attempts leave no events. This policy applies to attempts that
 * could not say when to come back: their worker died. There is no end to the attempts: the activity itself counts the
 * deaths of one check.
 */
export const POLL: ActivityOptions = {
  startToCloseTimeout: '15 m',
  ...TAKEOVER,
  retry: { initialInterval: '1 s', backoffCoefficient: 1 },
  // A running attempt is not abandoned: its check would commit beside the next one.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
};

/** Reading and committing millions of rows takes minutes. The retries are those of the fetch. */
export const COMPARE: ActivityOptions = { ...FETCH, startToCloseTimeout: '60 m' };

/**
 * An attempt takes at most 15 s, and first attempts run in parallel. Retried until the database has the result: a repeated
 * attempt has the same webhook-id, and recorded attempts are not repeated.
 */
export const DELIVER: ActivityOptions = {
  taskQueue: TASK_QUEUES.deliveries,
  startToCloseTimeout: '10 m',
  ...TAKEOVER,
  retry: { initialInterval: '1 s', maximumInterval: '1 m', maximumAttempts: 20 },
};

/**
 * A batch takes about 20 s plus the last of its attempts. Retried without limit, because reconciling would start a failed
 * backlog again anyway.
 */
export const BACKLOG: ActivityOptions = {
  ...DELIVER,
  retry: { initialInterval: '1 s', maximumInterval: '1 m' },
};

/** Works in bounded steps, heartbeats between them, and continues where it stopped after a fault. */
export const SWEEP: ActivityOptions = {
  startToCloseTimeout: '30 m',
  heartbeatTimeout: '60 s',
  retry: { initialInterval: '5 s', maximumInterval: '5 m' },
};

/** A user waits for it, so it is tried only once. The activity itself stops before the timeout. */
export const PREVIEW: ActivityOptions = { startToCloseTimeout: '25 s', retry: { maximumAttempts: 1 } };

/**
 * Temporal gives the tasks that wait in a queue to workers by turns of this key, so that an account with many due records
 * waits behind itself (docs/decisions/0059). Where fairness is off, it changes nothing.
 */
export const withFairnessKey = (attributes: RecordAttributes | null): Pick<ActivityOptions, 'priority'> =>
  attributes?.share === undefined ? {} : { priority: { fairnessKey: attributes.share } };

type Calls<Names extends keyof Activities> = ActivityInterfaceFor<Pick<Activities, Names>>;

export const quick: Calls<'planCheck' | 'recordFailedCheck'> = proxyActivities(QUICK);
export const origin: Calls<'fetchSource'> = proxyActivities(FETCH);
export const polls: Calls<'pollSource'> = proxyActivities(POLL);
export const comparison: Calls<'recordDelta' | 'settleRecord'> = proxyActivities(COMPARE);
export const deliveries: Calls<'attemptDeliveries' | 'attemptDelivery'> = proxyActivities(DELIVER);
export const backlogs: Calls<'sendBacklogBatch'> = proxyActivities(BACKLOG);
export const previews: Calls<'previewRule' | 'previewRecord'> = proxyActivities(PREVIEW);
export const sweeps: Calls<'eraseRecord' | 'reconcile' | 'pruneHistory'> = proxyActivities(SWEEP);
