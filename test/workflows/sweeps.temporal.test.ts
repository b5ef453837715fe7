// The housekeeping workflows, and the schedules that start them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SweepResult } from '../../workflows/contract.ts';
import { SCHEDULE_IDS, TASK_QUEUES, WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { ensureSchedules } from '../../worker/prepare-namespace.ts';
import { keepHistory } from '../support/checks/keep-history.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { until } from '../support/until.ts';
import { type ScriptedWorker, startScriptedWorker } from '../support/checks/workflow-worker.ts';

let temporal: TestTemporal;
let worker: ScriptedWorker;
let reconciled = 0;

beforeAll(async () => {
  temporal = await openTemporal();
  worker = await startScriptedWorker(temporal, {
    reconcile: () => {
      reconciled += 1;
      return Promise.resolve({ records: 2, deliveries: 1, forgottenRuns: 0 });
    },
    pruneHistory: () => Promise.resolve({ deleted: 3 }),
  });
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
});

describe('housekeeping', () => {
  it.each([
    [WORKFLOW_TYPES.reconcile, { records: 2, deliveries: 1, forgottenRuns: 0 }],
    [WORKFLOW_TYPES.pruneHistory, { deleted: 3 }],
  ])('%s answers with what it did', async (type, expected) => {
    const workflowId = `once/${type}`;
    const result = await temporal.client.workflow.execute<() => Promise<SweepResult>>(type, {
      workflowId,
      taskQueue: TASK_QUEUES.records,
      args: [],
    });
    expect(result).toEqual(expected);
    await keepHistory(temporal, workflowId, type);
  });

  it('is scheduled once, however many workers start, and the schedule starts it', async () => {
    await Promise.all([ensureSchedules(temporal.client), ensureSchedules(temporal.client)]);
    await ensureSchedules(temporal.client);
    const before = reconciled;
    await temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).trigger();
    await until('the schedule starts reconciling', () => reconciled > before);
    const { spec } = await temporal.client.schedule.getHandle(SCHEDULE_IDS.pruneHistory).describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
  });

  it('regression: ends at its timeout when it is stuck, also with a schedule of an earlier version', async () => {
    const handle = temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile);
    await handle.update((found) => {
      const { action } = found;
      delete action.workflowExecutionTimeout;
      return found;
    });
    expect((await handle.describe()).action.workflowExecutionTimeout).toBeUndefined();
    await handle.pause();
    await ensureSchedules(temporal.client);
    expect(await handle.describe()).toMatchObject({
      action: { workflowExecutionTimeout: 3_600_000 },
      state: { paused: true },
    });
  });
});
