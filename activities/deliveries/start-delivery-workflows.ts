// Starts the workflows that retry a delivery or send the backlog of a webhook.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { waitingWords } from '../../core/durations.ts';
import {
  attemptNow,
  backlogGrew,
  retryDeliveryId,
  type RetryDeliveryInput,
  sendBacklogId,
  type SendBacklogInput,
  TASK_QUEUES,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { setTimeout as pause } from 'node:timers/promises';

type Starting = Pick<ActivityDeps, 'temporal' | 'log'>;

/** Temporal limits a summary to 200 bytes. */
const LONGEST_SUMMARY = 190;

/**
 * Starts the workflow that makes the next attempt. Not a child workflow, because that would have to wait until all first
 * attempts of the check have ended. With `startDelay` the server holds the first task back until the attempt is due, or
 * wakeRetry is called, so that waiting costs no worker anything. A workflow that runs already may wait for a later time, from before
 * its delivery was cancelled and recovered, or be about to end.
 */
export async function startRetry(
  { temporal, log }: Starting,
  { waitMs, ...input }: RetryDeliveryInput,
): Promise<void> {
  const { deliveryId, words } = input;
  try {
    await temporal.workflow
      .start(WORKFLOW_TYPES.retryDelivery, {
        workflowId: retryDeliveryId(deliveryId),
        taskQueue: TASK_QUEUES.deliveries,
        args: [{ ...input, waitMs: 0 }],
        ...(waitMs > 0 ? { startDelay: waitMs } : {}),
        staticSummary: words.slice(0, LONGEST_SUMMARY),
        staticDetails: waitingWords(words, waitMs),
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        await wakeRetry(temporal, input);
      });
  } catch (err) {
    log.warn({ err, deliveryId }, 'the retry of a delivery could not be started; reconciling will');
  }
}

/** Makes the workflow of a delivery read now whether its next attempt is due. Signals as well as starts. */
export async function wakeRetry(
  temporal: Starting['temporal'],
  input: Omit<RetryDeliveryInput, 'waitMs'>,
): Promise<void> {
  await temporal.workflow.signalWithStart(WORKFLOW_TYPES.retryDelivery, {
    workflowId: retryDeliveryId(input.deliveryId),
    taskQueue: TASK_QUEUES.deliveries,
    args: [{ ...input, waitMs: 0 }],
    signal: attemptNow,
  });
}

/** Signals as well as starts, so that a workflow that is about to end does not miss new deliveries. */
async function startBacklog({ temporal, log }: Starting, webhookId: string): Promise<void> {
  const input: SendBacklogInput = { webhookId };
  try {
    await temporal.workflow.signalWithStart(WORKFLOW_TYPES.sendBacklog, {
      workflowId: sendBacklogId(webhookId),
      taskQueue: TASK_QUEUES.deliveries,
      args: [input],
      signal: backlogGrew,
    });
  } catch (err) {
    log.warn({ err, webhookId }, 'the backlog of a webhook could not be started; reconciling will');
  }
}

/** One signal covers all deliveries that join within this time. Every event of an endpoint that hangs causes one. */
const GATHER_MS = 1_000;

/** Call it after the deliveries are committed. Resolves once the workflow was signalled, or left to reconciling. */
export type StartBacklog = (webhookId: string) => Promise<void>;

export function createBacklogStarter(deps: ActivityDeps): StartBacklog {
  const gathering = new Map<string, Promise<void>>();
  const tell = async (webhookId: string): Promise<void> => {
    await pause(GATHER_MS);
    // A delivery that joins after this point needs a signal of its own.
    gathering.delete(webhookId);
    await startBacklog(deps, webhookId);
  };
  return (webhookId) => {
    const told = gathering.get(webhookId) ?? tell(webhookId);
    gathering.set(webhookId, told);
    return told;
  };
}
