// The activities as workflows call them: every timeout and retry of the system, each with its reason.
import type { ActivityInterfaceFor, ActivityOptions } from '@temporalio/workflow';
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { TASK_QUEUES } from './contract.ts';

/** One short statement. Without the database nothing can go on, so it is tried until it is back. */
export const QUICK: ActivityOptions = {
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '500 ms', maximumInterval: '30 s' },
};

/**
 * One fetch, with its own deadline of 10 minutes inside. Faults of the origin are results, not failures, so
 * what is retried here is ours: a worker that died (seen by the missing heartbeat), a database that was away.
 * Six tries over some 100 s, which outlast a database that restarts; then the check is recorded as failed on our
 * side, so that a body that kills its worker ends.
 */
export const FETCH: ActivityOptions = {
  startToCloseTimeout: '15 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 3, maximumInterval: '1 m', maximumAttempts: 6 },
};

/** Reading and committing a body of millions of rows takes minutes; the tries are as for the fetch. */
export const COMPARE: ActivityOptions = { ...FETCH, startToCloseTimeout: '60 m' };

/**
 * One attempt is at most 15 s, and first attempts go out side by side. Tried until the database has
 * taken the result: a repeated attempt carries the same webhook-id, and recorded ones are not made again.
 */
export const DELIVER: ActivityOptions = {
  taskQueue: TASK_QUEUES.deliveries,
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 m', maximumAttempts: 20 },
};

/**
 * A batch takes some 20 s and the last of its attempts. There is no end to the tries: what is left stands in the
 * database, and a backlog that gave up would only be started again by reconciling.
 */
export const BACKLOG: ActivityOptions = {
  ...DELIVER,
  retry: { initialInterval: '1 s', maximumInterval: '1 m' },
};

/** Works in bounded steps and heartbeats between them; goes on where it was after a fault. */
export const SWEEP: ActivityOptions = {
  startToCloseTimeout: '30 m',
  heartbeatTimeout: '60 s',
  retry: { initialInterval: '5 s', maximumInterval: '5 m' },
};

/** Somebody waits for it: read once, or not at all. The activity itself stops before that. */
export const PREVIEW: ActivityOptions = { startToCloseTimeout: '25 s', retry: { maximumAttempts: 1 } };

type Calls<Names extends keyof Activities> = ActivityInterfaceFor<Pick<Activities, Names>>;

export const quick: Calls<'planCheck' | 'recordFailedCheck'> = proxyActivities(QUICK);
export const origin: Calls<'fetchSource'> = proxyActivities(FETCH);
export const comparison: Calls<'recordDelta' | 'settleRecord'> = proxyActivities(COMPARE);
export const deliveries: Calls<'attemptDeliveries' | 'attemptDelivery'> = proxyActivities(DELIVER);
export const backlogs: Calls<'sendBacklogBatch'> = proxyActivities(BACKLOG);
export const previews: Calls<'previewRule'> = proxyActivities(PREVIEW);
export const sweeps: Calls<'eraseRecord' | 'reconcile' | 'pruneHistory'> = proxyActivities(SWEEP);
