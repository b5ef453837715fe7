// Removes from Temporal all runs of erased records and the retries of their deliveries, and nothing else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgetErasedRuns } from '../../../activities/housekeeping/erase-record.ts';
import { deleted, TASK_QUEUES, watchRecordId, WORKFLOW_TYPES } from '../../../workflows/contract.ts';
import { ScriptedRecord, scriptedActivities } from '../../support/checks/scripted-record.ts';
import { openTemporal, type TestTemporal } from '../../support/servers/temporal.ts';
import { until } from '../../support/until.ts';
import { type ScriptedWorker, startScriptedWorker } from '../../support/checks/workflow-worker.ts';

const records = new Map<string, ScriptedRecord>();
const attempted: string[] = [];
let temporal: TestTemporal;
let worker: ScriptedWorker;

beforeAll(async () => {
  temporal = await openTemporal();
  worker = await startScriptedWorker(temporal, {
    ...scriptedActivities(records),
    attemptDeliveries: (deltaEventId) =>
      Promise.resolve({ delivered: 0, retries: [{ deliveryId: deltaEventId, waitMs: 1, words: 'Failed.' }] }),
    attemptDelivery: (deliveryId) => {
      attempted.push(deliveryId);
      return Promise.resolve({ kind: 'final', words: 'Delivered.' });
    },
  });
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
});

/** Creates a record with several runs of its workflow and a delivery that is being retried. */
async function watch(): Promise<ScriptedRecord> {
  const record = new ScriptedRecord();
  records.set(record.id, record);
  record.intervalMs = 5;
  record.onCheck = () =>
    Promise.resolve(record.checks.length === 1 ? { deliver: { checkId: record.id, count: 1 } } : undefined);
  const { firstExecutionRunId } = await temporal.client.workflow.start(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(record.id),
    taskQueue: TASK_QUEUES.records,
    args: [{ recordId: record.id, maxHistoryEvents: 25 }],
  });
  await until('the retry', () => attempted.includes(record.id));
  await until('a second run', async () => (await handleOf(record).describe()).runId !== firstExecutionRunId);
  record.intervalMs = 3_600_000;
  return record;
}

const handleOf = ({ id }: ScriptedRecord) => temporal.client.workflow.getHandle(watchRecordId(id));

const countRuns = async ({ id }: ScriptedRecord): Promise<number> => {
  const name = watchRecordId(id);
  const query = `WorkflowId = '${name}' OR ParentWorkflowId = '${name}'`;
  return (await temporal.client.workflow.count(query)).count;
};

it('every run of an erased record is deleted, and no other', async () => {
  const [erased, other] = [await watch(), await watch()];
  erased.status = 'deleted';
  await handleOf(erased).signal(deleted);
  await handleOf(erased).result();
  await until('all runs can be found', async () => (await countRuns(erased)) >= 3);
  expect(await forgetErasedRuns(temporal.client, 3_600_000)).toBe(0);
  const areGone = async () => {
    await forgetErasedRuns(temporal.client, 0);
    return (await countRuns(erased)) === 0;
  };
  await until('they are gone', areGone, { everyMs: 3_000 });
  expect(await countRuns(other)).toBeGreaterThanOrEqual(3);
  other.status = 'deleted';
  await handleOf(other).signal(deleted);
  await handleOf(other).result();
}, 180_000);
