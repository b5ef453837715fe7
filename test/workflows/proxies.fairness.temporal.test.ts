// Accounts take turns at the checks that wait in the queue: real workflow code on a real Temporal server, activities scripted.
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleted, resumed, watchRecordId, WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { ScriptedRecord, scriptedActivities } from '../support/checks/scripted-record.ts';
import { sharedWorkflowBundle } from '../support/checks/workflow-bundle.ts';
import { silenceRuntime } from '../support/checks/workflow-worker.ts';
import { createGate } from '../support/gate.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { until } from '../support/until.ts';

const TASK_QUEUE = 'fairness';
const MANY = 20;

const records = new Map<string, ScriptedRecord>();
let temporal: TestTemporal;
let worker: Worker;
let running: Promise<void>;
let connection: NativeConnection;

beforeAll(async () => {
  silenceRuntime();
  temporal = await openTemporal();
  connection = await NativeConnection.connect({ address: temporal.address });
  worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: await sharedWorkflowBundle() },
    activities: scriptedActivities(records),
    // Everything else waits while one activity runs.
    maxConcurrentActivityTaskExecutions: 1,
  });
  running = worker.run();
});

afterAll(async () => {
  worker.shutdown();
  await running;
  await connection.close();
  await temporal.connection.close();
});

const handleOf = (record: ScriptedRecord) => temporal.client.workflow.getHandle(watchRecordId(record.id));

async function watch(settings: Partial<ScriptedRecord>): Promise<ScriptedRecord> {
  const record = Object.assign(new ScriptedRecord(), settings);
  records.set(record.id, record);
  await temporal.client.workflow.start(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(record.id),
    taskQueue: TASK_QUEUE,
    args: [{ recordId: record.id }],
  });
  await until('it is planned', () => record.plans === 1);
  return record;
}

async function resume(record: ScriptedRecord): Promise<void> {
  record.status = 'active';
  await handleOf(record).signal(resumed);
}

async function waits(record: ScriptedRecord): Promise<boolean> {
  const { raw } = await handleOf(record).describe();
  return (raw.pendingActivities ?? []).length > 0;
}

it('lets an account with one due record wait behind a few of another account, not behind all', async () => {
  const order: string[] = [];
  const note = (share: string) => () => {
    order.push(share);
    return Promise.resolve(undefined);
  };
  const many: ScriptedRecord[] = [];
  for (let n = 0; n < MANY; n += 1) {
    many.push(await watch({ status: 'paused', share: 'acc_many', onCheck: note('many') }));
  }
  const one = await watch({ status: 'paused', share: 'acc_one', onCheck: note('one') });
  const gate = createGate();
  const blocking = await watch({ status: 'paused', share: 'acc_blocking' });
  blocking.onCheck = async () => {
    await gate.wait();
    return undefined;
  };
  await resume(blocking);
  await until('it holds the only slot', () => blocking.checks.length === 1);
  for (const record of many) await resume(record);
  await until('they wait', async () => (await Promise.all(many.map(waits))).every(Boolean));
  await resume(one);
  await until('it waits too', () => waits(one));
  gate.open();
  await until('all are checked', () => order.length === MANY + 1);
  // At most a few others were on their way to the worker, or between its plan and its check.
  expect(order.indexOf('one')).toBeLessThan(MANY / 2);
  for (const record of [...many, one, blocking]) {
    record.status = 'deleted';
    await handleOf(record).signal(deleted);
  }
  for (const record of [...many, one, blocking]) await handleOf(record).result();
});
