// The first attempts of what a check gave rise to. The activity starts a workflow for each that did not succeed.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import type { PendingDeliveries, RetryDeliveryInput } from './contract.ts';
import { retryDeliveryId, TASK_QUEUES } from './contract.ts';
import { DELIVER, deliveries } from './proxies.ts';
import { retryDelivery } from './retry-delivery.ts';

export async function startFirstAttempts({ checkId, count }: PendingDeliveries): Promise<void> {
  const summary = count === 1 ? 'first attempt to deliver' : `first attempts of ${count} deliveries`;
  const { retries = [] } = await deliveries.attemptDeliveries.executeWithOptions({ ...DELIVER, summary }, [
    checkId,
  ]);
  await Promise.all(retries.map(startRetrying));
}

/** In histories that began before activities did this. The child outlives this run: continue-as-new closes its parent. */
async function startRetrying(input: RetryDeliveryInput): Promise<void> {
  try {
    await startChild(retryDelivery, {
      args: [input],
      workflowId: retryDeliveryId(input.deliveryId),
      taskQueue: TASK_QUEUES.deliveries,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: input.words.slice(0, 190),
    });
  } catch (error) {
    // Reconciling was faster; one is enough.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
