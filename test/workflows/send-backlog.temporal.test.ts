// Sends the backlog of a webhook in batches until it is empty, including deliveries that join at the end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BacklogResult, SendBacklogInput } from '../../workflows/contract.ts';
import {
  attemptNow,
  backlogGrew,
  sendBacklogId,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import { keepHistory } from '../support/checks/keep-history.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { until } from '../support/until.ts';
import { type ScriptedWorker, startScriptedWorker } from '../support/checks/workflow-worker.ts';

type Batch = (input: SendBacklogInput) => BacklogResult | Promise<BacklogResult>;

/** Results of the next batches, by webhook. */
const scripts = new Map<string, Batch[]>();
const asked = new Map<string, SendBacklogInput[]>();
let temporal: TestTemporal;
let worker: ScriptedWorker;

beforeAll(async () => {
  temporal = await openTemporal();
  worker = await startScriptedWorker(temporal, {
    sendBacklogBatch: async (input) => {
      asked.set(input.webhookId, [...(asked.get(input.webhookId) ?? []), input]);
      const batch = scripts.get(input.webhookId)?.shift();
      if (batch === undefined) throw new Error('One batch too many');
      return batch(input);
    },
  });
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
});

const more =
  (waitMs: number, failedBatches = 0): Batch =>
  () => ({ kind: 'more', waitMs, failedBatches, words: '0 delivered, 16 failed.' });
const empty: Batch = () => ({ kind: 'empty', words: 'The backlog is empty; 3 delivered, 0 failed.' });

const handleOf = (webhookId: string) => temporal.client.workflow.getHandle(sendBacklogId(webhookId));

async function start(input: SendBacklogInput, script: Batch[]) {
  scripts.set(input.webhookId, script);
  return temporal.client.workflow.start<(input: SendBacklogInput) => Promise<string>>(
    WORKFLOW_TYPES.sendBacklog,
    { workflowId: sendBacklogId(input.webhookId), taskQueue: TASK_QUEUES.deliveries, args: [input] },
  );
}

describe('sendBacklog', () => {
  it('sends one batch after the other until nothing is left', async () => {
    const handle = await start({ webhookId: 'wh_a' }, [more(0), more(20), empty]);
    expect(await handle.result()).toBe('The backlog is empty; 3 delivered, 0 failed.');
    expect(asked.get('wh_a')).toHaveLength(3);
    await keepHistory(temporal, sendBacklogId('wh_a'), 'backlog-wh_a');
  });

  it('counts batches without a success at a failing endpoint, and resets the count on request', async () => {
    const handle = await start({ webhookId: 'wh_b' }, [more(0, 1), more(3_600_000, 2), empty]);
    await until('the operator is told why it waits', async () =>
      /^0 delivered, 16 failed\.\n\nNext attempt at .*Z\.$/.test(await detailsOf('wh_b')),
    );
    await handle.signal(attemptNow);
    await handle.result();
    expect(asked.get('wh_b')?.map(({ failedBatches }) => failedBatches)).toEqual([0, 1, 0]);
    await keepHistory(temporal, sendBacklogId('wh_b'), 'backlog-wh_b');
  });

  it('sends deliveries that join during its last batch, after the same wait', async () => {
    const join: Batch = async (input) => {
      await handleOf('wh_c').signal(backlogGrew);
      return empty(input);
    };
    const handle = await start({ webhookId: 'wh_c' }, [join, empty]);
    await handle.result();
    expect(asked.get('wh_c')).toHaveLength(2);
    await keepHistory(temporal, sendBacklogId('wh_c'), 'backlog-wh_c');
  });

  it('continues as new, and passes on what it knows about the endpoint', async () => {
    const script = [...Array.from({ length: 12 }, (_, index) => more(0, index + 1)), empty];
    const { firstExecutionRunId } = await start({ webhookId: 'wh_d', maxHistoryEvents: 30 }, script);
    await handleOf('wh_d').result();
    expect(asked.get('wh_d')?.map(({ failedBatches }) => failedBatches)).toEqual(
      Array.from({ length: 13 }, (_, index) => index),
    );
    const { runId, historyLength } = await handleOf('wh_d').describe();
    expect(runId).not.toBe(firstExecutionRunId);
    expect(historyLength).toBeLessThan(60);
    await keepHistory(temporal, sendBacklogId('wh_d'), 'backlog-wh_d');
  });
});

async function detailsOf(webhookId: string): Promise<string> {
  const { currentDetails } = await handleOf(webhookId).query<{ currentDetails?: string }>(
    '__temporal_workflow_metadata',
  );
  return currentDetails ?? '';
}
