// Two activities of a record's workflow that complete in one workflow task. The order of the commands that follow depends on the
// number of promises between, and must not change for existing histories. Workflows and activities run in separate workers, so
// that a test can complete activities while no worker takes workflow tasks.
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedWorkflowBundle } from '../support/checks/workflow-bundle.ts';
import type {
  CheckPlan,
  CommittedCheck,
  FetchResult,
  FirstAttemptsResult,
  WatchRecordInput,
} from '../../workflows/contract.ts';
import { deleted, TASK_QUEUES, watchRecordId, WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { createGate, type Gate } from '../support/gate.ts';
import { keepHistory } from '../support/checks/keep-history.ts';
import { ScriptedRecord, scriptedActivities } from '../support/checks/scripted-record.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { until } from '../support/until.ts';
import { silenceRuntime } from '../support/checks/workflow-worker.ts';

const records = new Map<string, ScriptedRecord>();
/** Results of first attempts, by check. */
const firstAttempts = new Map<string, () => Promise<FirstAttemptsResult>>();
let temporal: TestTemporal;
let connection: NativeConnection;
let codePath: string;
let stopActivities: () => Promise<void>;
let stopWorkflows: () => Promise<void>;

beforeAll(async () => {
  silenceRuntime();
  temporal = await openTemporal();
  connection = await NativeConnection.connect({ address: temporal.address });
  codePath = await sharedWorkflowBundle();
  stopActivities = await run(Object.values(TASK_QUEUES), {
    activities: {
      ...scriptedActivities(records),
      recordDelta: ({ recordId }: { recordId: string }) => records.get(recordId)?.check(compared(recordId)),
      attemptDeliveries: (checkId: string) => firstAttempts.get(checkId)?.(),
    },
  });
});

afterAll(async () => {
  await stopActivities();
  await connection.close();
  await temporal.connection.close();
});

const compared = (recordId: string) => ({ recordId, checkId: 'chk_compared', trigger: 'schedule' }) as const;

async function run(
  taskQueues: readonly string[],
  options: Partial<Parameters<typeof Worker.create>[0]>,
): Promise<() => Promise<void>> {
  const { namespace } = temporal;
  const create = (taskQueue: string) => Worker.create({ connection, namespace, taskQueue, ...options });
  const workers = await Promise.all(taskQueues.map(create));
  const running = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await running;
  };
}

const takeWorkflowTasks = async (): Promise<void> => {
  // Each of these workers takes a second to start. No case retries deliveries, so there is no worker for them.
  stopWorkflows = await run([TASK_QUEUES.records], { workflowBundle: { codePath } });
};

/** An activity that waits until the test opens its gate. */
interface Held {
  hasBegun: boolean;
  gate: Gate;
}
const held = (): Held => ({ hasBegun: false, gate: createGate() });

async function hold<T>(activity: Held, answer: T): Promise<T> {
  activity.hasBegun = true;
  await activity.gate.wait();
  return answer;
}

/** Completes both, one after the other, before a worker takes a workflow task. */
async function completeTogether(record: ScriptedRecord, activities: readonly [Held, Held]): Promise<void> {
  await until('both have begun', () => activities.every(({ hasBegun }) => hasBegun));
  await stopWorkflows();
  const handle = temporal.client.workflow.getHandle(watchRecordId(record.id));
  const completed = async (): Promise<number> => {
    const { events } = await handle.fetchHistory();
    return events?.filter((event) => Boolean(event.activityTaskCompletedEventAttributes)).length ?? 0;
  };
  const before = await completed();
  for (const [index, { gate }] of activities.entries()) {
    gate.open();
    await until('it is complete', async () => (await completed()) === before + index + 1);
  }
  await takeWorkflowTasks();
}

const body: FetchResult = {
  kind: 'fetched',
  startedAtMs: Date.now(),
  body: {
    urlHash: 'u',
    sha256: 'a'.repeat(64),
    sizeBytes: 1,
    httpStatus: 200,
    contentType: null,
    etag: null,
    lastModified: null,
  },
};

const attempt = (activity: Held) => () => hold<FirstAttemptsResult>(activity, { delivered: 1 });
const deliver = (checkId: string) => ({ deliver: { checkId, count: 1 } });

async function start(record: ScriptedRecord, options: Partial<WatchRecordInput> = {}): Promise<string> {
  records.set(record.id, record);
  await takeWorkflowTasks();
  const { firstExecutionRunId } = await temporal.client.workflow.start(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(record.id),
    taskQueue: TASK_QUEUES.records,
    args: [{ recordId: record.id, ...options }],
  });
  return firstExecutionRunId;
}

/** Saves the history of the run in which both completed. A later run may exist by then. */
async function end(record: ScriptedRecord, runId: string, name: string): Promise<void> {
  const handle = temporal.client.workflow.getHandle(watchRecordId(record.id));
  record.status = 'deleted';
  await handle.signal(deleted);
  await handle.result();
  await stopWorkflows();
  await keepHistory(temporal, watchRecordId(record.id), `watchRecord-two-in-one-task-${name}`, runId);
}

interface Case {
  name: string;
  /** The final result of the second check's fetch. */
  fetched: Partial<FetchResult>;
  isFetchFirst: boolean;
  /** Whether the first try of the fetch finds the origin busy. */
  isLater?: boolean;
  maxHistoryEvents?: number;
}

/** News, so that the poll returns. */
const FAILED: Partial<CommittedCheck> = {
  attributes: {
    status: 'failing',
    accountId: 'acc_1',
    slug: 'licences',
    originHost: 'example.com',
    consecutiveFailures: 1,
  },
};

const CASES: Case[] = [true, false].flatMap((isFetchFirst) => {
  const order = isFetchFirst ? 'fetch-first' : 'attempts-first';
  return [
    { name: `new-body-${order}`, fetched: body, isFetchFirst },
    { name: `new-body-in-turn-${order}`, fetched: body, isFetchFirst, isLater: true },
    // When both complete, the history is longer than this, so the run continues as new.
    { name: `last-of-run-${order}`, fetched: FAILED, isFetchFirst, maxHistoryEvents: 15 },
  ];
});

describe('two activities that complete in one workflow task', () => {
  it.each(CASES)('a fetch and first attempts: $name', async (input) => {
    const { name, fetched, isFetchFirst, isLater = false, maxHistoryEvents } = input;
    const record = new ScriptedRecord();
    const fetch = held();
    const attempts = held();
    firstAttempts.set(name, attempt(attempts));
    const answers: (() => Promise<Partial<FetchResult>>)[] = [
      () => Promise.resolve({ ...deliver(name), plan: { kind: 'check', inMs: 0 } }),
      ...(isLater ? [() => Promise.resolve({ kind: 'later' as const, waitMs: 1 })] : []),
      () => hold(fetch, fetched),
    ];
    record.onCheck = () => answers.shift()?.() as Promise<Partial<CommittedCheck>>;
    const runId = await start(record, maxHistoryEvents === undefined ? {} : { maxHistoryEvents });
    await completeTogether(record, isFetchFirst ? [fetch, attempts] : [attempts, fetch]);
    await end(record, runId, name);
    expect(record.erased).toBe(1);
  });

  it('first attempts of two checks', async () => {
    const record = new ScriptedRecord();
    const attempts = [held(), held()] as const;
    for (const [index, activity] of attempts.entries()) firstAttempts.set(`both-${index}`, attempt(activity));
    const plans = [0, 3_600_000];
    record.onCheck = () => {
      const inMs = plans.shift();
      const committed = {
        ...deliver(`both-${1 - plans.length}`),
        plan: { kind: 'check', inMs } as CheckPlan,
      };
      return Promise.resolve(inMs === undefined ? undefined : committed);
    };
    const runId = await start(record);
    await completeTogether(record, attempts);
    await end(record, runId, 'first-attempts');
    expect(record.erased).toBe(1);
  });
});
