// Starts the workflows of deliveries: of one that failed, and of the backlog of a webhook.
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import { waitingWords } from '../../core/waiting-words.ts';
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

/**
 * Started by the activity and not as a child: neighbours in flight would hold it up. One that runs goes on as it is. The
 * server holds its first step back until the next attempt is due, or wanted: until then it costs no worker anything.
 */
export async function startRetry(
  { temporal, log }: Starting,
  { waitMs, ...input }: RetryDeliveryInput,
): Promise<void> {
  const { deliveryId, words } = input;
  try {
    await temporal.workflow.start(WORKFLOW_TYPES.retryDelivery, {
      workflowId: retryDeliveryId(deliveryId),
      taskQueue: TASK_QUEUES.deliveries,
      args: [{ ...input, waitMs: 0 }],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      ...(waitMs > 0 ? { startDelay: waitMs } : {}),
      staticSummary: words.slice(0, LONGEST_SUMMARY),
      staticDetails: waitingWords(words, waitMs),
    });
  } catch (err) {
    log.warn({ err, deliveryId }, 'a delivery is left to reconciling');
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
