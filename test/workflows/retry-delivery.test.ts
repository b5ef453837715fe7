// A delivery whose first attempt failed: waits between attempts, ends when Postgres says so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptResult, RetryDeliveryInput } from '../../workflows/contract.ts';
import { retryDeliveryId, TASK_QUEUES, WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { keepHistory } from '../support/keep-history.ts';
import { openTemporal, type TestTemporal } from '../support/temporal.ts';
import { type ScriptedWorker, startScriptedWorker } from '../support/workflow-worker.ts';

/** Answers of the attempts to come, by delivery. */
const answers = new Map<string, AttemptResult[]>();
const attemptedAt = new Map<string, number[]>();
let temporal: TestTemporal;
let worker: ScriptedWorker;

beforeAll(async () => {
  temporal = await openTemporal();
  worker = await startScriptedWorker(temporal, {
    attemptDelivery: (deliveryId) => {
      attemptedAt.set(deliveryId, [...(attemptedAt.get(deliveryId) ?? []), Date.now()]);
      const answer = answers.get(deliveryId)?.shift();
      return answer === undefined
        ? Promise.reject(new Error('One attempt too many'))
        : Promise.resolve(answer);
    },
  });
});

afterAll(async () => {
  await worker.stop();
  await temporal.connection.close();
});

async function retry(input: RetryDeliveryInput, script: AttemptResult[]): Promise<string> {
  answers.set(input.deliveryId, script);
  const workflowId = retryDeliveryId(input.deliveryId);
  const result = await temporal.client.workflow.execute<(input: RetryDeliveryInput) => Promise<string>>(
    WORKFLOW_TYPES.retryDelivery,
    { workflowId, taskQueue: TASK_QUEUES.deliveries, args: [input] },
  );
  await keepHistory(temporal, workflowId, `retry-${input.deliveryId}`);
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
    // Timers never fire early; how late they fire is the machine's affair.
    expect(first - startedAt).toBeGreaterThanOrEqual(100);
    expect(second - first).toBeGreaterThanOrEqual(150);
    expect(third - second).toBeGreaterThanOrEqual(200);
  });

  it('ends at its first step when the delivery is done already', async () => {
    const words = await retry({ deliveryId: 'dlv_b', waitMs: 0, words: 'Overdue.' }, [
      { kind: 'final', words: 'Nothing to do: delivered.' },
    ]);
    expect(words).toBe('Nothing to do: delivered.');
    expect(attemptedAt.get('dlv_b')).toHaveLength(1);
  });

  it('goes through a whole schedule of ten attempts', async () => {
    const script = [
      ...Array.from({ length: 8 }, () => wait(5)),
      { kind: 'final', words: 'Attempt 10 failed.' } as const,
    ];
    await retry({ deliveryId: 'dlv_c', waitMs: 5, words: 'Attempt 1 failed.' }, script);
    expect(attemptedAt.get('dlv_c')).toHaveLength(9);
  });
});
