// Measures deliveries that fail and are retried, beside workflows of the same kind that start and wait; and the cost of
// waiting ones.
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { waitFor } from '../../cli/process/wait-for.ts';
import { makeId } from '../../core/ids.ts';
import {
  type RetryDeliveryInput,
  retryDeliveryId,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import { type DeliveryBench, systemCpuSeconds } from './delivery-bench.ts';
import { seedEvents, type SeededRecord } from './seed.ts';

export interface FailingResult {
  /** Deliveries whose first attempt failed and whose workflow waits. */
  perSecond: number;
  /** Workflows that are started and wait, with no delivery. */
  emptyPerSecond: number;
  /** Processors in use while all of them wait, and before there were any. */
  coresAtRest: number;
  pending: number;
}

const EVENTS = 80;
const EVENTS_AT_ONCE = 16;
const WEBHOOKS = 10;
const COUNT = EVENTS * WEBHOOKS;
const AT_ONCE = EVENTS_AT_ONCE * WEBHOOKS;
const REST_MS = 15_000;
/** No timer falls due while this runs. */
const LONG_MS = 3 * 3_600_000;

export async function measureFailing(
  bench: DeliveryBench,
  { recordId }: SeededRecord,
): Promise<FailingResult> {
  const { system, temporal, receiver, driver, report } = bench;
  const empty = Array.from({ length: COUNT }, () => makeId('delivery', Date.now(), randomUUID()));
  const emptySeconds = await seconds(async () => {
    const rest = empty.values();
    const start = async (): Promise<void> => {
      for (const deliveryId of rest) {
        const input: RetryDeliveryInput = { deliveryId, waitMs: LONG_MS, words: 'Empty.' };
        const workflowId = retryDeliveryId(deliveryId);
        await temporal.workflow.start(WORKFLOW_TYPES.retryDelivery, {
          workflowId,
          taskQueue: TASK_QUEUES.deliveries,
          args: [input],
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, start));
    await allReach(bench, empty, TIMER_STARTED);
  });
  receiver.set({ status: 503 });
  const checks = await seedEvents(system, recordId, EVENTS);
  const ids: string[] = await system.db('deliveries').whereIn('checkId', checks).pluck('id');
  const failingSeconds = await seconds(async () => {
    const lanes = Array.from({ length: EVENTS_AT_ONCE }, (_, lane) =>
      checks.filter((_check, index) => index % EVENTS_AT_ONCE === lane),
    );
    await Promise.all(lanes.map((lane) => driver.drive(lane)));
    await allReach(bench, ids, HELD_BACK);
  });
  receiver.set({});
  const cpuBefore = systemCpuSeconds(system);
  await pause(REST_MS);
  const coresAtRest = ((systemCpuSeconds(system) - cpuBefore) * 1_000) / REST_MS;
  const pending = await temporal.workflow.count(
    `ExecutionStatus = 'Running' AND WorkflowType = 'retryDelivery'`,
  );
  const result = {
    perSecond: COUNT / failingSeconds,
    emptyPerSecond: COUNT / emptySeconds,
    coresAtRest,
    pending: pending.count,
  };
  report(
    `failing deliveries: ${result.perSecond.toFixed(0)}/s into retry, ${result.emptyPerSecond.toFixed(0)} empty workflows/s; ` +
      `${result.pending} pending use ${coresAtRest.toFixed(3)} cores`,
  );
  return result;
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

/** Events of a history whose first step has started a timer, and of one whose first step the server holds back. */
const TIMER_STARTED = 5;
const HELD_BACK = 1;

/** Waits until the workflows that started last have reached this event. */
async function allReach(
  { temporal }: DeliveryBench,
  deliveryIds: readonly string[],
  events: number,
): Promise<void> {
  for (const id of deliveryIds.slice(-AT_ONCE)) {
    const handle = temporal.workflow.getHandle(retryDeliveryId(id));
    const isWaiting = async (): Promise<true | undefined> =>
      (await historyLength(handle)) >= events || undefined;
    await waitFor(isWaiting, { what: `${id} waits`, timeoutMs: 120_000, intervalMs: 20 });
  }
}

async function historyLength(handle: WorkflowHandle): Promise<number> {
  try {
    return (await handle.describe()).historyLength;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 0;
    throw error;
  }
}
