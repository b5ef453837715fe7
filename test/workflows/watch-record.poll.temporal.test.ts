// Checks on schedule as attempts of one activity: real workflow code on a real Temporal server, activities scripted.
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkNow,
  deleted,
  paused,
  type PollInput,
  settingsChanged,
  TASK_QUEUES,
  watchRecordId,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import { createGate } from '../support/gate.ts';
import { keepHistory } from '../support/checks/keep-history.ts';
import { ScriptedRecord, scriptedActivities } from '../support/checks/scripted-record.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { until } from '../support/until.ts';
import { sharedWorkflowBundle } from '../support/checks/workflow-bundle.ts';
import { type ScriptedWorker, startScriptedWorker } from '../support/checks/workflow-worker.ts';

const records = new Map<string, ScriptedRecord>();
let temporal: TestTemporal;
let worker: ScriptedWorker;

beforeAll(async () => {
  temporal = await openTemporal();
  worker = await startScriptedWorker(temporal, scriptedActivities(records));
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
});

const handleOf = (record: ScriptedRecord) => temporal.client.workflow.getHandle(watchRecordId(record.id));

async function watch(settings: Partial<ScriptedRecord> = {}): Promise<ScriptedRecord> {
  const record = Object.assign(new ScriptedRecord(), settings);
  await watchOn(TASK_QUEUES.records, record);
  return record;
}

async function watchOn(taskQueue: string, record: ScriptedRecord): Promise<void> {
  records.set(record.id, record);
  await temporal.client.workflow.start(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(record.id),
    taskQueue,
    args: [{ recordId: record.id }],
  });
}

/** Starts a second worker. @returns stops it */
async function startWorker(
  taskQueue: string,
  options: Partial<WorkerOptions> = {},
): Promise<() => Promise<void>> {
  const connection = await NativeConnection.connect({ address: temporal.address });
  const created = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue,
    workflowBundle: { codePath: await sharedWorkflowBundle() },
    activities: scriptedActivities(records),
    ...options,
  });
  const running = created.run();
  return async () => {
    created.shutdown();
    await running;
    await connection.close();
  };
}

async function remove(record: ScriptedRecord): Promise<void> {
  record.status = 'deleted';
  await handleOf(record).signal(deleted);
  await handleOf(record).result();
}

const checksReach = (record: ScriptedRecord, count: number) =>
  until(`${count} checks`, () => record.checks.length >= count);

async function pendingPoll(record: ScriptedRecord) {
  const { raw } = await handleOf(record).describe();
  return raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'pollSource');
}

async function countEvents(record: ScriptedRecord): Promise<number> {
  const { events } = await handleOf(record).fetchHistory();
  return events?.length ?? 0;
}

describe('a poll', () => {
  it('adds no events while there is nothing new, and tells operators of the last check in words', async () => {
    const record = await watch({ intervalMs: 1_000 });
    await checksReach(record, 2);
    const before = await countEvents(record);
    await checksReach(record, 4);
    const poll = await until('the attempt has ended', async () => {
      const pending = await pendingPoll(record);
      return pending?.lastFailure ? pending : undefined;
    });
    expect(poll.attempt).toBeGreaterThanOrEqual(4);
    expect(poll.lastFailure?.message).toMatch(/^Unchanged/);
    expect(poll.lastFailure?.stackTrace ?? '').toBe('');
    expect(await countEvents(record)).toBe(before);
    await remove(record);
  });

  it('lets a running attempt end before it handles a pause, a request or the deletion', async () => {
    const gate = createGate();
    const record = await watch();
    record.onCheck = async () => {
      await gate.wait();
      return undefined;
    };
    await checksReach(record, 1);
    record.status = 'paused';
    await handleOf(record).signal(paused);
    const { checkId } = await handleOf(record).executeUpdate(checkNow);
    expect(record.checks).toHaveLength(1);
    await until('the plan', () => record.plans === 2);
    gate.open();
    await until('the requested check', () => record.checks.some((check) => check.checkId === checkId));
    // Again, because the attempt planned its next check by the settings of before.
    expect(record.plans).toBe(3);
    expect(record.checks.map(({ trigger }) => trigger)).toEqual(['schedule', 'manual']);
    await remove(record);
  });

  it('returns when there is something to report, and the next poll begins', async () => {
    const record = await watch({ intervalMs: 1_000 });
    await checksReach(record, 1);
    record.onCheck = () => {
      record.failures.push('the origin is away');
      return Promise.resolve(undefined);
    };
    await until('it is published', async () => {
      const { typedSearchAttributes } = await handleOf(record).describe();
      return typedSearchAttributes
        .getAll()
        .some(({ key, value }) => key.name === 'ConsecutiveFailures' && value === 1);
    });
    record.onCheck = () => Promise.resolve(undefined);
    await checksReach(record, record.checks.length + 1);
    await remove(record);
  });

  it('records a failed check when the activity fails for good, and polls again when the next check is due', async () => {
    const record = await watch({ intervalMs: 1_000 });
    record.onCheck = () => Promise.reject(ApplicationFailure.nonRetryable('ended by an operator'));
    await until('it is recorded', () => record.failures.length > 0);
    record.onCheck = () => Promise.resolve(undefined);
    await checksReach(record, record.checks.length + 2);
    expect(record.failures[0]).toBe('ended by an operator');
    await remove(record);
  });

  it('makes each check once while settings change again and again', async () => {
    const record = await watch({ intervalMs: 1_000 });
    let running = 0;
    let mostRunning = 0;
    record.onCheck = async () => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await handleOf(record).signal(settingsChanged);
      await handleOf(record).executeUpdate(checkNow);
      running -= 1;
      return undefined;
    };
    await checksReach(record, 12);
    record.onCheck = () => Promise.resolve(undefined);
    await remove(record);
    expect(mostRunning).toBe(1);
    expect(new Set(record.checks.map(({ checkId }) => checkId)).size).toBe(record.checks.length);
  });
});

describe('an attempt that dies after a signal stopped its poll', () => {
  it('regression: hands its note to the next poll, within ten seconds', async () => {
    const taskQueue = 'records-of-a-dying-worker';
    const activities = scriptedActivities(records);
    const inputs: PollInput[] = [];
    const stop = await startWorker(taskQueue, {
      activities: {
        ...activities,
        pollSource: async (input: PollInput) => {
          inputs.push(input);
          if (inputs.length > 1) return activities.pollSource?.(input);
          Context.current().heartbeat({ tries: 1 });
          // Its heartbeat is the last one.
          return Context.current().cancelled;
        },
      },
    });
    const record = new ScriptedRecord();
    await watchOn(taskQueue, record);
    await until('an attempt runs', () => inputs.length === 1);
    await handleOf(record).signal(settingsChanged);
    await until('the next poll', () => inputs.length === 2);
    expect(inputs.map(({ noteLeft }) => noteLeft)).toEqual([undefined, { tries: 1 }]);
    const { events } = await handleOf(record).fetchHistory();
    const timedOut = events?.find((event) => event.activityTaskTimedOutEventAttributes);
    const { startedEventId } = timedOut?.activityTaskTimedOutEventAttributes ?? {};
    const started = events?.find(({ eventId }) => String(eventId) === String(startedEventId));
    expect(Number(timedOut?.eventTime?.seconds) - Number(started?.eventTime?.seconds)).toBeLessThan(10);
    await remove(record);
    await stop();
  });
});

describe('a run that began before the poll', () => {
  it('starts one when it waits next, in the middle of its history', async () => {
    const taskQueue = 'records-of-before';
    const record = Object.assign(new ScriptedRecord(), { intervalMs: 300 });
    const stopOld = await startWorker(taskQueue, { patchActivationCallback: () => false });
    await watchOn(taskQueue, record);
    await checksReach(record, 3);
    expect(await pendingPoll(record)).toBeUndefined();
    await stopOld();
    const stopNew = await startWorker(taskQueue);
    await until('it polls', async () => (await pendingPoll(record)) !== undefined);
    await checksReach(record, record.checks.length + 2);
    await remove(record);
    await stopNew();
    await keepHistory(temporal, watchRecordId(record.id), 'watchRecord-takes-up-the-poll');
    const { events = [] } = await handleOf(record).fetchHistory();
    const failed = events?.filter((event) => Boolean(event.workflowTaskFailedEventAttributes)) ?? [];
    expect(failed).toEqual([]);
    expect(new Set(record.checks.map(({ checkId }) => checkId)).size).toBe(record.checks.length);
  });

  it('continues when a worker of the version before receives the activity, which it does not know', async () => {
    const taskQueue = 'records-of-two-versions';
    const { pollSource, ...activities } = scriptedActivities(records);
    expect(pollSource).toBeDefined();
    const stopOld = await startWorker(taskQueue, { activities });
    const record = Object.assign(new ScriptedRecord(), { intervalMs: 1 });
    await watchOn(taskQueue, record);
    await until('the old one fails at it', async () =>
      /not registered/.test((await pendingPoll(record))?.lastFailure?.message ?? ''),
    );
    const stopNew = await startWorker(taskQueue);
    await checksReach(record, 5);
    await stopOld();
    await checksReach(record, record.checks.length + 2);
    await remove(record);
    await stopNew();
    expect(new Set(record.checks.map(({ checkId }) => checkId)).size).toBe(record.checks.length);
  });
});
