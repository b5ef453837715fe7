// Retries a delivery whose first attempt failed, until the database says that it is final.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRetry } from '../../activities/deliveries/start-delivery-workflows.ts';
import type { AttemptResult, RetryDeliveryInput } from '../../workflows/contract.ts';
import { attemptNow, retryDeliveryId, TASK_QUEUES, WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { keepHistory } from '../support/checks/keep-history.ts';
import { until } from '../support/until.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { type ScriptedWorker, startScriptedWorker } from '../support/checks/workflow-worker.ts';

/** Results of the next attempts, by delivery. */
const answers = new Map<string, AttemptResult[]>();
const attemptedAt = new Map<string, number[]>();
/** Called during an attempt. */
const onAttempt = new Map<string, () => Promise<void>>();
let temporal: TestTemporal;
let worker: ScriptedWorker;

beforeAll(async () => {
  temporal = await openTemporal();
  worker = await startScriptedWorker(temporal, {
    attemptDelivery: async (deliveryId) => {
      attemptedAt.set(deliveryId, [...(attemptedAt.get(deliveryId) ?? []), Date.now()]);
      await onAttempt.get(deliveryId)?.();
      const answer = answers.get(deliveryId)?.shift();
      if (answer === undefined) throw new Error('One attempt too many');
      return answer;
    },
  });
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
});

function start(input: RetryDeliveryInput, script: AttemptResult[]) {
  answers.set(input.deliveryId, script);
  return temporal.client.workflow.start<(input: RetryDeliveryInput) => Promise<string>>(
    WORKFLOW_TYPES.retryDelivery,
    { workflowId: retryDeliveryId(input.deliveryId), taskQueue: TASK_QUEUES.deliveries, args: [input] },
  );
}

async function retry(input: RetryDeliveryInput, script: AttemptResult[]): Promise<string> {
  const handle = await start(input, script);
  const result = await handle.result();
  await keepHistory(temporal, handle.workflowId, `retry-${input.deliveryId}`);
  return result;
}

const wait = (waitMs: number): AttemptResult => ({
  kind: 'wait',
  waitMs,
  words: 'Attempt failed: http_error, status 500.',
});
const delivered: AttemptResult = { kind: 'final', words: 'Delivered at attempt 4 (status 200).' };

describe('retryDelivery', () => {
  it('waits as told before each attempt, in order, until the delivery is final', async () => {
    const startedAt = Date.now();
    const words = await retry({ deliveryId: 'dlv_a', waitMs: 100, words: 'Attempt 1 failed.' }, [
      wait(150),
      wait(200),
      delivered,
    ]);
    expect(words).toBe('Delivered at attempt 4 (status 200).');
    const [first = 0, second = 0, third = 0, ...more] = attemptedAt.get('dlv_a') ?? [];
    expect(more).toEqual([]);
    // Timers never fire early. How late they fire depends on the machine.
    expect(first - startedAt).toBeGreaterThanOrEqual(100);
    expect(second - first).toBeGreaterThanOrEqual(150);
    expect(third - second).toBeGreaterThanOrEqual(200);
  });

  it('ends at its first step when the delivery is already final', async () => {
    const words = await retry({ deliveryId: 'dlv_b', waitMs: 0, words: 'Overdue.' }, [
      { kind: 'final', words: 'Nothing to do: delivered.' },
    ]);
    expect(words).toBe('Nothing to do: delivered.');
    expect(attemptedAt.get('dlv_b')).toHaveLength(1);
  });

  it('makes all ten attempts of a schedule', async () => {
    const script = [
      ...Array.from({ length: 8 }, () => wait(5)),
      { kind: 'final', words: 'Attempt 10 failed.' } as const,
    ];
    await retry({ deliveryId: 'dlv_c', waitMs: 5, words: 'Attempt 1 failed.' }, script);
    expect(attemptedAt.get('dlv_c')).toHaveLength(9);
  });

  it('tells why it waits and until when, and attempts at once when asked', async () => {
    const input = {
      deliveryId: 'dlv_d',
      waitMs: 7_200_000,
      words: 'Attempt 3 failed: http_error, status 503.',
    };
    const handle = await start(input, [delivered]);
    const details = async () =>
      (await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails ?? '';
    await until('the operator is told', async () =>
      /^Attempt 3 failed: http_error, status 503\.\n\nNext attempt at 20\S*Z\.$/.test(await details()),
    );
    expect(attemptedAt.get('dlv_d')).toBeUndefined();
    await handle.signal(attemptNow);
    expect(await handle.result()).toBe('Delivered at attempt 4 (status 200).');
    await keepHistory(temporal, handle.workflowId, 'retry-dlv_d');
  });

  it('continues when the delivery is reopened while its last attempt ends', async () => {
    onAttempt.set('dlv_e', async () => {
      onAttempt.delete('dlv_e');
      await temporal.client.workflow.getHandle(retryDeliveryId('dlv_e')).signal(attemptNow);
    });
    const handle = await start({ deliveryId: 'dlv_e', waitMs: 0, words: 'Overdue.' }, [
      { kind: 'final', words: 'Attempt 10 failed.' },
      delivered,
    ]);
    expect(await handle.result()).toBe('Delivered at attempt 4 (status 200).');
    await keepHistory(temporal, handle.workflowId, 'retry-dlv_e');
  });

  it('continues as new when an endpoint stays busy for long', async () => {
    const busy: AttemptResult = { kind: 'wait', waitMs: 1, words: 'The endpoint is busy.' };
    const script = [...Array.from({ length: 5 }, () => busy), delivered];
    const { firstExecutionRunId } = await start(
      { deliveryId: 'dlv_f', waitMs: 0, words: 'Overdue.', maxHistoryEvents: 30 },
      script,
    );
    const handle = temporal.client.workflow.getHandle(retryDeliveryId('dlv_f'));
    expect(await handle.result()).toBe('Delivered at attempt 4 (status 200).');
    expect((await handle.describe()).runId).not.toBe(firstExecutionRunId);
    await keepHistory(temporal, handle.workflowId, 'retry-dlv_f');
  });
});

describe('a delivery that failed for the first time', () => {
  const fail = (deliveryId: string, waitMs: number) => {
    answers.set(deliveryId, [delivered]);
    const starting = { temporal: temporal.client, log: pino({ level: 'silent' }) };
    return startRetry(starting, { deliveryId, waitMs, words: 'Attempt 1 failed: timeout.' });
  };
  const handleOf = (deliveryId: string) => temporal.client.workflow.getHandle(retryDeliveryId(deliveryId));

  it('takes no step until its next attempt is due', async () => {
    const startedAt = Date.now();
    await fail('dlv_g', 400);
    expect(await handleOf('dlv_g').result()).toBe('Delivered at attempt 4 (status 200).');
    expect((attemptedAt.get('dlv_g')?.[0] ?? 0) - startedAt).toBeGreaterThanOrEqual(400);
    await keepHistory(temporal, retryDeliveryId('dlv_g'), 'retry-dlv_g');
  });

  it('tells why it waits and until when, and is attempted at once when asked', async () => {
    await fail('dlv_h', 7_200_000);
    const description = await handleOf('dlv_h').describe();
    expect(await description.staticDetails()).toMatch(
      /^Attempt 1 failed: timeout\.\n\nNext attempt at 20\S*Z\.$/,
    );
    expect(description.historyLength).toBe(1);
    await temporal.client.workflow.signalWithStart(WORKFLOW_TYPES.retryDelivery, {
      workflowId: retryDeliveryId('dlv_h'),
      taskQueue: TASK_QUEUES.deliveries,
      args: [{ deliveryId: 'dlv_h', waitMs: 0, words: 'Requested by the account.' }],
      signal: attemptNow,
    });
    expect(await handleOf('dlv_h').result()).toBe('Delivered at attempt 4 (status 200).');
    expect(attemptedAt.get('dlv_h')).toHaveLength(1);
    await keepHistory(temporal, retryDeliveryId('dlv_h'), 'retry-dlv_h');
  });

  it('regression: makes a workflow that waits for a later time read the delivery again', async () => {
    await fail('dlv_i', 7_200_000);
    answers.set('dlv_i', [wait(5), delivered]);
    const starting = { temporal: temporal.client, log: pino({ level: 'silent' }) };
    await startRetry(starting, { deliveryId: 'dlv_i', waitMs: 5, words: 'Attempt 4 failed: timeout.' });
    expect(await handleOf('dlv_i').result()).toBe('Delivered at attempt 4 (status 200).');
    expect(attemptedAt.get('dlv_i')).toHaveLength(2);
    await keepHistory(temporal, retryDeliveryId('dlv_i'), 'retry-dlv_i');
  });
});
