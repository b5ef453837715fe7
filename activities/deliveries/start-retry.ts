// Starts the workflows of deliveries: of one that failed, and of the backlog of a webhook.
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import type { RetryDeliveryInput, SendBacklogInput } from '../../workflows/contract.ts';
import {
  backlogGrew,
  retryDeliveryId,
  sendBacklogId,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';

type Starting = Pick<ActivityDeps, 'temporal' | 'log'>;

/** The UI takes 200 bytes. */
const LONGEST_SUMMARY = 190;

/** Started by the activity and not as a child: neighbours in flight would hold it up. One that runs goes on as it is. */
export async function startRetry({ temporal, log }: Starting, input: RetryDeliveryInput): Promise<void> {
  try {
    await temporal.workflow.start(WORKFLOW_TYPES.retryDelivery, {
      workflowId: retryDeliveryId(input.deliveryId),
      taskQueue: TASK_QUEUES.deliveries,
      args: [input],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      staticSummary: input.words.slice(0, LONGEST_SUMMARY),
    });
  } catch (err) {
    log.warn({ err, deliveryId: input.deliveryId }, 'a delivery is left to reconciling');
  }
}

/** The signal keeps one that is about to end from missing what joined it. */
export async function startBacklog({ temporal, log }: Starting, webhookId: string): Promise<void> {
  const input: SendBacklogInput = { webhookId };
  try {
    await temporal.workflow.signalWithStart(WORKFLOW_TYPES.sendBacklog, {
      workflowId: sendBacklogId(webhookId),
      taskQueue: TASK_QUEUES.deliveries,
      args: [input],
      signal: backlogGrew,
    });
  } catch (err) {
    log.warn({ err, webhookId }, 'a backlog is left to reconciling');
  }
}
