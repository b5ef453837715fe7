// A record from its first check to its deletion: real workflow code on a real Temporal server, with scripted activities.
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FirstAttemptsResult, WatchRecordInput } from '../../workflows/contract.ts';
import {
  checkNow,
  deleted,
  paused,
  resumed,
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
import { type ScriptedWorker, startScriptedWorker } from '../support/checks/workflow-worker.ts';

const records = new Map<string, ScriptedRecord>();
let temporal: TestTemporal;
let worker: ScriptedWorker;

const firstAttempts = new Map<string, () => Promise<FirstAttemptsResult>>();
const laterAttempts: string[] = [];

beforeAll(async () => {
  temporal = await openTemporal();
  worker = await startScriptedWorker(temporal, {
    ...scriptedActivities(records),
    attemptDeliveries: (deltaEventId) =>
      firstAttempts.get(deltaEventId)?.() ?? Promise.reject(new Error(`Not scripted: ${deltaEventId}`)),
    attemptDelivery: (deliveryId) => {
      laterAttempts.push(deliveryId);
      return Promise.resolve({ kind: 'final', words: 'Delivered at attempt 2 (status 200).' });
    },
  });
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
});

function newRecord(settings: Partial<ScriptedRecord> = {}): ScriptedRecord {
  const record = Object.assign(new ScriptedRecord(), settings);
  records.set(record.id, record);
  return record;
}

function watch(record: ScriptedRecord, options: Partial<WatchRecordInput> = {}) {
  return temporal.client.workflow.start(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(record.id),
    taskQueue: TASK_QUEUES.records,
    args: [{ recordId: record.id, ...options }],
  });
}

const handleOf = (record: ScriptedRecord) => temporal.client.workflow.getHandle(watchRecordId(record.id));

async function attributesOf(record: ScriptedRecord): Promise<Record<string, unknown>> {
  const { typedSearchAttributes } = await handleOf(record).describe();
  return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
}

async function remove(record: ScriptedRecord): Promise<void> {
  record.status = 'deleted';
  await handleOf(record).signal(deleted);
  await handleOf(record).result();
  const { currentTestName = '' } = expect.getState();
  await keepHistory(temporal, watchRecordId(record.id), nameOfHistory(currentTestName));
}

const checksReach = (record: ScriptedRecord, count: number) =>
  until(`${count} checks`, () => record.checks.length >= count);

describe('watchRecord', () => {
  it('checks a new record at once, and then at every interval', async () => {
    const record = newRecord({ intervalMs: 50 });
    await watch(record);
    await checksReach(record, 4);
    await remove(record);
    expect(new Set(record.checks.map(({ checkId }) => checkId)).size).toBe(record.checks.length);
    expect(record.erased).toBe(1);
  });

  it('does not check while paused, and continues when resumed', async () => {
    const record = newRecord({ intervalMs: 300 });
    await watch(record);
    await checksReach(record, 1);
    record.status = 'paused';
    await handleOf(record).signal(paused);
    await until('the pause is seen', async () => (await details(record)).includes('Paused'));
    const before = record.checks.length;
    record.status = 'active';
    await handleOf(record).signal(resumed);
    await checksReach(record, before + 1);
    expect(record.checks.every(({ statusAtStart }) => statusAtStart === 'active')).toBe(true);
    await remove(record);
  });

  it('answers checkNow with the id of the check that it starts', async () => {
    const record = newRecord();
    await watch(record);
    await checksReach(record, 1);
    const { checkId } = await handleOf(record).executeUpdate(checkNow);
    await checksReach(record, 2);
    expect(record.checks[1]).toMatchObject({ checkId, trigger: 'manual' });
    await remove(record);
  });

  it('answers checkNow during a check with a check that begins afterwards, and combines several requests', async () => {
    const gate = createGate();
    const record = newRecord();
    record.onCheck = async () => {
      await gate.wait();
      return undefined;
    };
    await watch(record);
    await checksReach(record, 1);
    const first = await handleOf(record).executeUpdate(checkNow);
    const second = await handleOf(record).executeUpdate(checkNow);
    expect(first).toEqual(second);
    expect(first.checkId).not.toBe(record.checks[0]?.checkId);
    gate.open();
    await checksReach(record, 2);
    await remove(record);
    expect(record.checks.map(({ checkId }) => checkId)).toEqual([record.checks[0]?.checkId, first.checkId]);
  });

  it('takes a new interval at once when settings change', async () => {
    const record = newRecord({ intervalMs: 3_600_000 });
    await watch(record);
    await checksReach(record, 1);
    record.intervalMs = 20;
    await handleOf(record).signal(settingsChanged);
    await checksReach(record, 3);
    await remove(record);
  });

  it('records a failed check when its activities fail for good, and continues', async () => {
    const record = newRecord();
    record.onCheck = () => Promise.reject(ApplicationFailure.nonRetryable('the disk is full'));
    await watch(record);
    await until('the failure is recorded', () => record.failures.length > 0);
    expect(record.failures).toEqual(['the disk is full']);
    record.onCheck = () => Promise.resolve(undefined);
    await handleOf(record).executeUpdate(checkNow);
    await checksReach(record, 2);
    await remove(record);
  });

  it('loses no request and no check over many continue-as-new', async () => {
    const record = newRecord({ intervalMs: 5 });
    const { firstExecutionRunId } = await watch(record, { maxHistoryEvents: 25 });
    await checksReach(record, 6);
    const { checkId } = await handleOf(record).executeUpdate(checkNow);
    await until('the requested check', () => record.checks.some((check) => check.checkId === checkId));
    await until('a later run', async () => (await handleOf(record).describe()).runId !== firstExecutionRunId);
    const { historyLength } = await handleOf(record).describe();
    expect(historyLength).toBeLessThan(60);
    await remove(record);
  });

  it('does not delay the next check for first attempts, and continues as new only after them', async () => {
    const gate = createGate();
    const record = newRecord({ intervalMs: 10 });
    record.onCheck = () => Promise.resolve({ deliver: { checkId: 'chk_1', count: 2 } });
    firstAttempts.set('chk_1', async () => {
      await gate.wait();
      return { delivered: 1, retries: [{ deliveryId: 'dlv_slow', waitMs: 20, words: 'Attempt 1 failed.' }] };
    });
    const { firstExecutionRunId } = await watch(record, { maxHistoryEvents: 60 });
    await checksReach(record, 4);
    expect((await handleOf(record).describe()).runId).toBe(firstExecutionRunId);
    record.onCheck = () => Promise.resolve(undefined);
    gate.open();
    await until('a later run', async () => (await handleOf(record).describe()).runId !== firstExecutionRunId);
    await until('the retry outlives the run', () => laterAttempts.includes('dlv_slow'));
    await remove(record);
  });

  it('shows operators its state in search attributes and current details', async () => {
    const record = newRecord();
    await watch(record);
    await checksReach(record, 1);
    await until('attributes', async () => {
      const values = await attributesOf(record);
      return values['RecordStatus'] === 'active' && values['OriginHost'] === 'example.com';
    });
    await until('details', async () =>
      (await details(record)).startsWith(
        'No news yet.\n\nChecks on schedule are attempts of the pending activity',
      ),
    );
    await remove(record);
  });

  it('regression: shows operators text of origins as text, not as markup', async () => {
    const record = newRecord();
    const words = 'Failed (invalid_rows): the column "[Sign in](https://evil.example)" is not there.';
    record.onCheck = () => Promise.resolve({ words });
    await watch(record);
    await handleOf(record).executeUpdate(checkNow);
    await until('details', async () =>
      (await details(record)).startsWith(
        String.raw`Failed (invalid\_rows): the column "\[Sign in\](https\://evil.example)" is not there. (20`,
      ),
    );
    await remove(record);
  });

  it('regression: shows operators the error code until a check succeeds', async () => {
    const record = newRecord({ errorCode: 'http_error' });
    await watch(record);
    await until('the code is there', async () => (await attributesOf(record))['ErrorCode'] === 'http_error');
    record.errorCode = null;
    await handleOf(record).executeUpdate(checkNow);
    await until('the code is gone', async () => (await attributesOf(record))['ErrorCode'] === undefined);
    await remove(record);
  });

  it('handles signals in any order, also during checks', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) await play(seed);
  });
});

describe('watchRecord in a session', () => {
  /** Waits until the session has ended by itself. */
  async function isErased(record: ScriptedRecord): Promise<void> {
    await handleOf(record).result();
    const { currentTestName = '' } = expect.getState();
    await keepHistory(temporal, watchRecordId(record.id), nameOfHistory(currentTestName));
    expect(record.erased).toBe(1);
  }

  it('ends on time, and the record is erased', async () => {
    const record = newRecord({ sessionEndsAtMs: Date.now() + 3_000, intervalMs: 200 });
    await watch(record);
    await until('the operator is told', async () =>
      /^No news yet[^]*Its session is over at 20\d\d-[\d:T-]+Z; then it is erased\./.test(
        await details(record),
      ),
    );
    await isErased(record);
    expect(record.checks.length).toBeGreaterThan(1);
    expect(Date.now()).toBeGreaterThanOrEqual(record.sessionEndsAtMs ?? 0);
  });

  it('also ends while the record is paused', async () => {
    const record = newRecord({ sessionEndsAtMs: Date.now() + 500, status: 'paused' });
    await watch(record);
    await isErased(record);
    expect(record.checks).toEqual([]);
  });

  it('ends at the same time when runs continue as new', async () => {
    const record = newRecord({ sessionEndsAtMs: Date.now() + 2_500, intervalMs: 5 });
    await watch(record, { maxHistoryEvents: 25 });
    await isErased(record);
    // Only the first run asked, and the run in which the session ended.
    expect(record.plans).toBeLessThanOrEqual(3);
    expect(Date.now()).toBeGreaterThanOrEqual(record.sessionEndsAtMs ?? 0);
  });

  it('does not end once the record is kept', async () => {
    const record = newRecord({ sessionEndsAtMs: Date.now() + 1_500, intervalMs: 100 });
    await watch(record);
    await checksReach(record, 1);
    const wasToEndAtMs = record.sessionEndsAtMs ?? 0;
    record.sessionEndsAtMs = null;
    await handleOf(record).signal(settingsChanged);
    await until('the end that was planned has passed', () => Date.now() > wasToEndAtMs + 200);
    await checksReach(record, record.checks.length + 2);
    expect(record.erased).toBe(0);
    expect(await details(record)).not.toContain('session');
    await remove(record);
  });

  it('does not end when the signal to keep it was lost', async () => {
    const record = newRecord({ sessionEndsAtMs: Date.now() + 500 });
    await watch(record);
    await checksReach(record, 1);
    record.sessionEndsAtMs = null;
    await until('it was asked for', () => record.plans === 2);
    await handleOf(record).executeUpdate(checkNow);
    await checksReach(record, 2);
    expect(record.erased).toBe(0);
    await remove(record);
  });
});

const nameOfHistory = (testName: string): string => testName.replaceAll(/\W+/g, '-').slice(0, 60);

/** Random settings changes and signals; afterwards the workflow must have done only what the record allowed. */
async function play(seed: number): Promise<void> {
  const record = newRecord({ intervalMs: 15 });
  await watch(record, { maxHistoryEvents: 60 });
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const requested: string[] = [];
  for (let step = 0; step < 25; step += 1) {
    const handle = handleOf(record);
    switch (next(4)) {
      case 0:
        record.status = 'paused';
        await handle.signal(paused);
        break;
      case 1:
        record.status = 'active';
        await handle.signal(resumed);
        break;
      case 2:
        await handle.signal(settingsChanged);
        break;
      default:
        requested.push((await handle.executeUpdate(checkNow)).checkId);
    }
  }
  record.status = 'active';
  await handleOf(record).signal(resumed);
  const made = () => new Set(record.checks.map(({ checkId }) => checkId));
  await until(`every requested check of seed ${seed}`, () => requested.every((id) => made().has(id)));
  await remove(record);
  expect(made().size).toBe(record.checks.length);
  expect(record.erased).toBe(1);
}

/** What the Temporal UI shows of a running workflow. */
async function details(record: ScriptedRecord): Promise<string> {
  const metadata = await handleOf(record).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}
