// The API's client of the workflows. Workflows act on the database's contents, so the API commits first and signals them
// afterwards.
import { type Client, WithStartWorkflowOperation, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { FastifyBaseLogger } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { recordSummary } from '../../core/record-summary.ts';
import {
  attemptNow,
  checkNow,
  deleted,
  paused,
  previewRecordId,
  type PreviewRecordInput,
  previewRuleId,
  type PreviewRuleInput,
  resumed,
  retryDeliveryId,
  type RetryDeliveryInput,
  sendBacklogId,
  type SendBacklogInput,
  settingsChanged,
  TASK_QUEUES,
  watchRecordId,
  type WatchRecordInput,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';

const SIGNALS = { settingsChanged, paused, resumed, deleted } as const;

/** Changes of a record that its workflow must know of. */
export type RecordSignal = keyof typeof SIGNALS;

export interface WorkflowClient {
  /**
   * Starts a record's workflow. Does nothing if it runs.
   * @param summary names the record in the Temporal UI
   */
  startWatching: (recordId: string, summary: string) => Promise<void>;
  /**
   * Requests a check that begins after this call.
   * @returns the check's id
   * @throws ApiError unavailable when no worker answers in time
   */
  requestCheck: (recordId: string) => Promise<string>;
  /** Signals a record's workflow, and starts it if it was lost. */
  tell: (recordId: string, news: RecordSignal) => Promise<void>;
  /** Attempts a reopened delivery at once. */
  attemptNow: (deliveryId: string) => Promise<void>;
  /** Attempts the reopened deliveries of a webhook, in batches. */
  sendBacklog: (webhookId: string) => Promise<void>;
  /**
   * Makes a worker compute a preview, and waits for it.
   * @throws ApiError unavailable when it does not finish in time
   */
  previewRule: (previewId: string) => Promise<void>;
  /** The same for a record that does not exist yet. */
  previewRecord: (previewId: string) => Promise<void>;
  /** @throws Error when Temporal does not answer */
  ping: () => Promise<void>;
}

const ANSWER_WITHIN_MS = 5_000;
/** Temporal gives the task of a worker that ends to another worker after 10 s, by default. */
const ACCEPT_WITHIN_MS = 15_000;
/** Longer than the worker may read, and shorter than a request may wait. */
const PREVIEW_WITHIN_MS = 25_000;

export function openWorkflowClient(client: Client): WorkflowClient {
  const within = <T>(work: () => Promise<T>, timeoutMs = ANSWER_WITHIN_MS): Promise<T> =>
    client.withDeadline(Date.now() + timeoutMs, work);
  return {
    startWatching: (recordId, staticSummary) =>
      within(async () => {
        await client.workflow.start(WORKFLOW_TYPES.watchRecord, {
          ...startOptions(recordId),
          staticSummary,
        });
      }),
    requestCheck: (recordId) =>
      within(() => updateOrStart(client, recordId), ACCEPT_WITHIN_MS).catch((cause: unknown) => {
        throw new ApiError('unavailable', 'No worker accepted the check. Try again in a moment.', { cause });
      }),
    tell: (recordId, news) =>
      within(async () => {
        await client.workflow.signalWithStart(WORKFLOW_TYPES.watchRecord, {
          ...startOptions(recordId),
          signal: SIGNALS[news],
        });
      }),
    attemptNow: (deliveryId) =>
      within(async () => {
        const input: RetryDeliveryInput = { deliveryId, waitMs: 0, words: 'Requested by the account.' };
        await client.workflow.signalWithStart(WORKFLOW_TYPES.retryDelivery, {
          workflowId: retryDeliveryId(deliveryId),
          taskQueue: TASK_QUEUES.deliveries,
          args: [input],
          signal: attemptNow,
        });
      }),
    sendBacklog: (webhookId) =>
      within(async () => {
        const input: SendBacklogInput = { webhookId };
        await client.workflow.signalWithStart(WORKFLOW_TYPES.sendBacklog, {
          workflowId: sendBacklogId(webhookId),
          taskQueue: TASK_QUEUES.deliveries,
          args: [input],
          signal: attemptNow,
        });
      }),
    previewRule: (previewId) => {
      const input: PreviewRuleInput = { previewId };
      return runPreview(client, WORKFLOW_TYPES.previewRule, previewRuleId(previewId), input);
    },
    previewRecord: (previewId) => {
      const input: PreviewRecordInput = { previewId };
      return runPreview(client, WORKFLOW_TYPES.previewRecord, previewRecordId(previewId), input);
    },
    ping: () =>
      within(async () => {
        await client.connection.workflowService.getSystemInfo({});
      }),
  };
}

async function updateOrStart(client: Client, recordId: string): Promise<string> {
  const startWorkflowOperation = new WithStartWorkflowOperation(
    WORKFLOW_TYPES.watchRecord,
    startOptions(recordId),
  );
  const { checkId } = await client.workflow.executeUpdateWithStart(checkNow, { startWorkflowOperation });
  return checkId;
}

async function runPreview(client: Client, type: string, workflowId: string, input: object): Promise<void> {
  try {
    await client.withDeadline(Date.now() + PREVIEW_WITHIN_MS, () =>
      client.workflow.execute(type, {
        workflowId,
        taskQueue: TASK_QUEUES.records,
        args: [input],
        workflowExecutionTimeout: PREVIEW_WITHIN_MS,
      }),
    );
  } catch (cause) {
    const detail = 'No worker could read the data in time. Try again later.';
    throw new ApiError('unavailable', detail, { cause });
  }
}

function startOptions(recordId: string) {
  const input: WatchRecordInput = { recordId };
  return {
    workflowId: watchRecordId(recordId),
    taskQueue: TASK_QUEUES.records,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  };
}

interface Telling {
  temporal: WorkflowClient;
  log: FastifyBaseLogger;
}

/**
 * Starts the workflow of a record that was just committed. Logs a failure instead of throwing, because the caller's request
 * has succeeded.
 */
export async function startWorkflow(
  { temporal, log }: Telling,
  record: { id: string; slug: string; url: string },
): Promise<void> {
  try {
    await temporal.startWatching(record.id, recordSummary(record));
  } catch (error) {
    log.error({ err: error, recordId: record.id }, 'could not start the workflow; reconciling will');
  }
}

/** Tells a record's workflow what was just committed. Logs a failure, for the same reason. */
export async function tellWorkflow(
  { temporal, log }: Telling,
  recordId: string,
  news: RecordSignal,
): Promise<void> {
  try {
    await temporal.tell(recordId, news);
  } catch (error) {
    log.error(
      { err: error, recordId, news },
      'could not tell the workflow; reconciling wakes it when the record is overdue',
    );
  }
}

/** Starts the workflows of deliveries that were just written. Logs a failure, for the same reason. */
export async function tellDeliveries(
  { temporal, log }: Telling,
  what: { deliveryId: string } | { backlogOf: string },
): Promise<void> {
  try {
    if ('deliveryId' in what) await temporal.attemptNow(what.deliveryId);
    else await temporal.sendBacklog(what.backlogOf);
  } catch (error) {
    log.error({ err: error, ...what }, 'could not tell the workflow; reconciling will');
  }
}
