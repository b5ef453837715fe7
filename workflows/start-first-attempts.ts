// Runs the first attempts of a check's deliveries. The activity starts a retry workflow for each one that fails.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import type { PendingDeliveries } from '../core/deliveries.ts';
import type { RetryDeliveryInput } from './contract.ts';
import { retryDeliveryId, TASK_QUEUES } from './contract.ts';
import { DELIVER, deliveries, type withFairnessKey } from './proxies.ts';
import { retryDelivery } from './retry-delivery.ts';

export async function startFirstAttempts(
  { checkId, count }: PendingDeliveries,
  priority: ReturnType<typeof withFairnessKey> = {},
): Promise<void> {
  const summary = count === 1 ? 'first attempt to deliver' : `first attempts of ${count} deliveries`;
  const { retries = [] } = await deliveries.attemptDeliveries.executeWithOptions(
    { ...DELIVER, ...priority, summary },
    [checkId],
  );
  await Promise.all(retries.map(startRetrying));
}

/** Only for histories from before the activity did this. ABANDON lets the child outlive continue-as-new of its parent. */
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
    // Reconciling has started it already.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
