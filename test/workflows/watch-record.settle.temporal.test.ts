// How a record's workflow settles stored bodies: real workflow code on a real Temporal server, with scripted activities.
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type CheckInput,
  deleted,
  paused,
  previewRecordId,
  previewRuleId,
  type PlanResult,
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

/** A record with stored bodies that wait to be settled. */
class UnsettledRecord extends ScriptedRecord {
  waiting: NonNullable<PlanResult['settle']>[] = [];
  settled: CheckInput[] = [];
  onSettle: () => Promise<void> = () => Promise.resolve();

  override planCheck(): PlanResult {
    const [settle] = this.waiting;
    return { ...super.planCheck(), ...(settle === undefined ? {} : { settle }) };
  }
}

const records = new Map<string, UnsettledRecord>();
const previewed: string[] = [];
let temporal: TestTemporal;
let worker: ScriptedWorker;

beforeAll(async () => {
  temporal = await openTemporal();
  const scripted = scriptedActivities(records);
  worker = await startScriptedWorker(temporal, {
    ...scripted,
    recordFailedCheck: async (input) => {
      const failed = await scripted.recordFailedCheck?.(input);
      if (failed === undefined) throw new Error('Not scripted');
      // The record still lists the body that was to be settled.
      return { ...failed, isPlanStale: true };
    },
    previewRule: ({ previewId }) => {
      previewed.push(previewId);
      return previewId === 'prv_broken'
        ? Promise.reject(new Error('The worker is out of memory'))
        : Promise.resolve();
    },
    previewRecord: ({ previewId }) => {
      previewed.push(previewId);
      return Promise.resolve();
    },
    settleRecord: async (input) => {
      const record = records.get(input.recordId);
      if (record === undefined) throw new Error('No such record');
      record.settled.push(input);
      await record.onSettle();
      record.waiting.shift();
      const attributes = record.attributes();
      return { kind: 'committed', plan: record.plan(), attributes, words: 'Settled.', deliver: null };
    },
  });
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
});

async function watch(settings: Partial<UnsettledRecord>): Promise<UnsettledRecord> {
  const record = Object.assign(new UnsettledRecord(), settings);
  records.set(record.id, record);
  await temporal.client.workflow.start(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(record.id),
    taskQueue: TASK_QUEUES.records,
    args: [{ recordId: record.id }],
  });
  return record;
}

const handleOf = ({ id }: UnsettledRecord) => temporal.client.workflow.getHandle(watchRecordId(id));

async function remove(record: UnsettledRecord, history: string): Promise<void> {
  record.status = 'deleted';
  await handleOf(record).signal(deleted);
  await handleOf(record).result();
  await keepHistory(temporal, watchRecordId(record.id), history);
}

it('settles bodies one by one before it checks, and reads the plan after each', async () => {
  const record = await watch({ waiting: ['accepted', 'settings'] });
  await until('the first check', () => record.checks.length > 0);
  expect(record.settled.map(({ trigger }) => trigger)).toEqual(['accepted', 'settings']);
  expect(new Set([...record.settled, ...record.checks].map(({ checkId }) => checkId)).size).toBe(3);
  expect(record.plans).toBe(3);
  await remove(record, 'watchRecord-settles-before-it-checks');
});

it('settles on a signal also while the record is paused', async () => {
  const record = await watch({ status: 'paused' });
  await handleOf(record).signal(paused);
  await until('the plan', () => record.plans > 0);
  record.waiting.push('settings');
  await handleOf(record).signal(settingsChanged);
  await until('it is settled', () => record.settled.length > 0 && record.waiting.length === 0);
  expect(record.checks).toEqual([]);
  await remove(record, 'watchRecord-settles-while-paused');
});

it('waits for a running check, and settles after it even if the signal was lost', async () => {
  const gate = createGate();
  const record = await watch({});
  record.onCheck = async () => {
    await gate.wait();
    return { isPlanStale: true };
  };
  await until('the check begins', () => record.checks.length > 0);
  record.waiting.push('settings');
  expect(record.settled).toEqual([]);
  gate.open();
  await until('it is settled', () => record.settled.length > 0 && record.waiting.length === 0);
  await remove(record, 'watchRecord-settles-after-a-check');
});

it('records a failed check when settling fails for an internal reason, and does not retry at once', async () => {
  const record = await watch({
    waiting: ['settings'],
    onSettle: () => Promise.reject(ApplicationFailure.nonRetryable('The disk is full')),
  });
  await until('the first check', () => record.checks.length > 0);
  expect(record.settled).toHaveLength(1);
  expect(record.failures).toEqual(['The disk is full']);
  await remove(record, 'watchRecord-gives-up-settling');
});

it('previews a rule once, without retries', async () => {
  const preview = (previewId: string): Promise<void> =>
    temporal.client.workflow.execute(WORKFLOW_TYPES.previewRule, {
      workflowId: previewRuleId(previewId),
      taskQueue: TASK_QUEUES.records,
      args: [{ previewId }],
    });
  await preview('prv_a');
  await keepHistory(temporal, previewRuleId('prv_a'), 'previewRule');
  await expect(preview('prv_broken')).rejects.toThrow('Workflow execution failed');
  expect(previewed).toEqual(['prv_a', 'prv_broken']);
});

it('previews a record', async () => {
  await temporal.client.workflow.execute(WORKFLOW_TYPES.previewRecord, {
    workflowId: previewRecordId('pvw_a'),
    taskQueue: TASK_QUEUES.records,
    args: [{ previewId: 'pvw_a' }],
  });
  await keepHistory(temporal, previewRecordId('pvw_a'), 'previewRecord');
  expect(previewed.at(-1)).toBe('pvw_a');
});
