// The two workers of a process, one for each task queue, so that a burst of deliveries never takes the slots of checks.
import type { NativeConnection } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../activities/create-activities.ts';
import { TASK_QUEUES } from '../workflows/contract.ts';

export interface WorkerOptions {
  connection: NativeConnection;
  namespace: string;
  activities: Activities;
  /** Path of the bundle made by worker/bundle.ts. */
  bundlePath: string;
}

/** Most of them wait for sockets, or for a place to compare; activities/checks/check-deps.ts has the limits of each. */
const CHECKS_AT_ONCE = 1_000;
/**
 * They only wait for sockets. An endpoint that hangs holds as many as its share of attempts, an account's endpoints
 * together as many as the account's (activities/deliveries/endpoint-shares.ts): these are slots for four such accounts.
 */
const DELIVERY_BATCHES_AT_ONCE = 1_000;
/** 70 KB of heap each; beyond it the least recently used is replayed when it wakes. */
const CACHED_WORKFLOWS = 1_000;

export async function createWorkers(options: WorkerOptions): Promise<Worker[]> {
  const { connection, namespace, activities, bundlePath } = options;
  const shared = {
    connection,
    namespace,
    activities,
    workflowBundle: { codePath: bundlePath },
    // A check or an attempt that runs at the stop may finish; what does not is taken over by heartbeat.
    shutdownGraceTime: '20 s',
    // Before the process ends by force (worker/main.ts).
    shutdownForceTime: '23 s',
  } as const;
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUES.records,
      maxConcurrentActivityTaskExecutions: CHECKS_AT_ONCE,
      maxCachedWorkflows: CACHED_WORKFLOWS,
    }),
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUES.deliveries,
      maxConcurrentActivityTaskExecutions: DELIVERY_BATCHES_AT_ONCE,
      maxCachedWorkflows: CACHED_WORKFLOWS / 4,
    }),
  ]);
}

/** Runs until `stop` is called, then drains. @throws when a worker fails */
export async function runWorkers(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.run()));
}

export function stopWorkers(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
