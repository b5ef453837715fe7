// The two workers of a process, one for each task queue, so that a burst of deliveries cannot take the slots of checks.
import type { DataConverter, NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import { CheckSlots } from '../activities/check-slots.ts';
import type { Activities } from '../activities/create-activities.ts';
import { observeActivities } from '../telemetry/checks.ts';
import { traceActivities } from '../telemetry/trace-temporal.ts';
import { TASK_QUEUES } from '../workflows/contract.ts';
import { SEALING_FAILURES } from './bundle.ts';
import { keepKindsOnly } from './failures.ts';

export interface WorkerOptions {
  connection: NativeConnection;
  namespace: string;
  activities: Activities;
  /** Path of the bundle from worker/bundle.ts. */
  bundlePath: string;
  /** From deploymentOptions. */
  deployment?: WorkerDeploymentOptions | undefined;
  /** Spans for activities. */
  isTraced?: boolean;
  /** Whether Temporal's queues serve accounts in turns. */
  isFair?: boolean | undefined;
  /** With a payload codec. */
  dataConverter?: DataConverter | undefined;
}

/** Most activities wait for sockets or for a slot to compare in. activities/checks/check-deps.ts has the limits of each. */
const CHECKS = { total: 1_000, briefMs: 5_000 };
/** Where Temporal's queue serves accounts in turns. Elsewhere the limits of the process do, so all may come. */
const CHECKS_AT_WORK = 40;
/** One thread runs them, so more of them only wait, here instead of in Temporal's queue, in which accounts take turns. */
const WORKFLOW_TASKS_AT_ONCE = 8;
/** There are no tasks of these kinds. The SDK needs a slot for each. */
const NONE = { type: 'fixed-size', numSlots: 1 } as const;
/**
 * Deliveries only wait for sockets. This is enough for four accounts whose endpoints all hang, at their limits in
 * activities/deliveries/endpoint-slots.ts.
 */
const DELIVERY_BATCHES_AT_ONCE = 1_000;
/** Each takes 70 KB of heap. Beyond the limit the least recently used one is evicted and replayed when needed. */
const CACHED_WORKFLOWS = 1_000;

/** Running checks and attempts may finish. Then they are aborted, and another worker repeats them. */
export const SHUTDOWN_GRACE_MS = 20_000;

export async function createWorkers(options: WorkerOptions): Promise<Worker[]> {
  const { connection, namespace, activities, bundlePath, deployment, dataConverter } = options;
  const { isTraced, isFair } = options;
  // The first is the outermost: a span sees an error as it was thrown.
  const activityInterceptors = [keepKindsOnly, ...(isTraced === true ? [traceActivities] : [])];
  const slots = new CheckSlots({ ...CHECKS, atWork: isFair === true ? CHECKS_AT_WORK : CHECKS.total });
  observeActivities(() => slots.load);
  const shared = {
    connection,
    namespace,
    activities,
    workflowBundle: { codePath: bundlePath },
    ...(deployment === undefined ? {} : { workerDeploymentOptions: deployment }),
    ...(dataConverter === undefined
      ? {}
      : { dataConverter: { ...dataConverter, failureConverterPath: SEALING_FAILURES } }),
    // By default the SDK holds beats back for 0.8 of their timeout, so that a busy worker may miss it.
    maxHeartbeatThrottleInterval: '2 s',
    shutdownGraceTime: SHUTDOWN_GRACE_MS,
    // Must be shorter than END_WITHIN_MS in worker/main.ts.
    shutdownForceTime: '23 s',
  } as const;
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUES.records,
      interceptors: { activity: [slots.interceptor, ...activityInterceptors] },
      tuner: {
        workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: WORKFLOW_TASKS_AT_ONCE },
        activityTaskSlotSupplier: slots,
        localActivityTaskSlotSupplier: NONE,
        nexusTaskSlotSupplier: NONE,
      },
      maxCachedWorkflows: CACHED_WORKFLOWS,
    }),
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUES.deliveries,
      interceptors: { activity: activityInterceptors },
      maxConcurrentActivityTaskExecutions: DELIVERY_BATCHES_AT_ONCE,
      maxCachedWorkflows: CACHED_WORKFLOWS / 4,
    }),
  ]);
}

/**
 * Runs until the workers are stopped and have drained.
 * @param onFailure is called as soon as a worker fails, and has to stop the others
 * @throws what the worker failed with, once all have ended
 */
export async function runWorkers(
  workers: readonly Worker[],
  onFailure: (error: unknown) => void,
): Promise<void> {
  const runs = workers.map(async (worker) => {
    try {
      await worker.run();
    } catch (error) {
      onFailure(error);
      throw error;
    }
  });
  await Promise.allSettled(runs);
  await Promise.all(runs);
}

export function stopWorkers(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
