// Workflows that cannot go on: their tasks fail again and again, as they do when the code does not follow a history
// that an earlier version left. Temporal retries such a task for ever. Postgres holds the truth, so they are started again.
import { type Client, defaultPayloadConverter, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { recordSummary } from '../../core/record-summary.ts';
import { listChecksNotMade } from '../../db/commit/checks.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findRecord } from '../../db/records/records.ts';
import {
  type RetryDeliveryInput,
  type SendBacklogInput,
  TASK_QUEUES,
  type WatchRecordInput,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';

/** Looked at in one pass; the next one comes within a minute. */
const BATCH = 500;
/** Listed in one pass, to choose from: those that are left alone must not keep the others out. */
const MAX_LISTED = 10_000;
/** Graces for which tasks must have failed: while a deployment is under way, some do for a minute or two. */
const GRACES = 5;

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];

/** A workflow task that has failed at least once and is tried again. */
export interface FailingTask {
  runId: string;
  attempt: number;
  since: Date;
  /** What the first of its failures said: later ones leave no event. */
  reason: string | null;
  history: HistoryEvent[];
}

/** @returns undefined when the workflow's tasks do not fail. @throws WorkflowNotFoundError */
export async function findFailingTask(client: Client, workflowId: string): Promise<FailingTask | undefined> {
  const { raw, runId } = await client.workflow.getHandle(workflowId).describe();
  const { attempt, originalScheduledTime } = raw.pendingWorkflowTask ?? {};
  if (!originalScheduledTime || !attempt || attempt < 2) return undefined;
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const history = events ?? [];
  const failed = history.findLast((event) => Boolean(event.workflowTaskFailedEventAttributes));
  const reason = failed?.workflowTaskFailedEventAttributes?.failure?.message ?? null;
  return { runId, attempt, since: new Date(Number(originalScheduledTime.seconds) * 1_000), reason, history };
}

/**
 * Starts workflows of records, deliveries and backlogs again that have failed for several graces. What Postgres does not
 * know, the ids of checks that were promised and not made, is read from the history. A run that has failed from its first
 * task on is left alone: another would fail in the same way, and this one goes on once the code is right.
 * @returns how many were started again
 */
export async function restartStuck(
  { db, temporal, config, log }: Pick<ActivityDeps, 'db' | 'temporal' | 'config' | 'log'>,
  onStep: () => void = () => undefined,
): Promise<number> {
  const failingForMs = GRACES * config.reconcileGraceSeconds * 1_000;
  let restarted = 0;
  for (const { workflowId, type } of await listProblems(temporal)) {
    onStep();
    try {
      const task = await findFailingTask(temporal, workflowId);
      if (task === undefined || Date.now() - task.since.getTime() < failingForMs) continue;
      const { history, ...facts } = task;
      if (!hasGoneOn(history)) continue;
      const input = await inputOf(db, type, workflowId, history);
      const options = 'recordId' in input ? await summaryOption(db, input.recordId) : {};
      await startAgain(temporal, { workflowId, type, input, ...options });
      restarted += 1;
      log.warn(
        { workflowId, ...facts },
        'a workflow could not go on, and was started again from what Postgres says',
      );
    } catch (err) {
      log.error({ err, workflowId }, 'a workflow that cannot go on could not be started again');
    }
  }
  return restarted;
}

/** Which the server has marked, after five tasks in a row that failed. */
async function listProblems(client: Client): Promise<{ workflowId: string; type: string }[]> {
  const types = Object.keys(QUEUES).map((type) => `'${type}'`);
  const query = `TemporalReportedProblems IS NOT NULL AND ExecutionStatus = 'Running'
    AND WorkflowType IN (${types.join(',')})`;
  const listed = [];
  for await (const { workflowId, type } of client.workflow.list({ query })) {
    listed.push({ workflowId, type });
    if (listed.length === MAX_LISTED) break;
  }
  if (listed.length <= BATCH) return listed;
  const from = Math.floor(Math.random() * listed.length);
  return [...listed.slice(from), ...listed.slice(0, from)].slice(0, BATCH);
}

/** Only workflows that can begin from nothing but an id. */
const QUEUES: Readonly<Record<string, string>> = {
  [WORKFLOW_TYPES.watchRecord]: TASK_QUEUES.records,
  [WORKFLOW_TYPES.retryDelivery]: TASK_QUEUES.deliveries,
  [WORKFLOW_TYPES.sendBacklog]: TASK_QUEUES.deliveries,
};

/** A run that another one handed its state to has gone on as well: that state may be what it fails of. */
const hasGoneOn = ([started, ...events]: HistoryEvent[]): boolean =>
  Boolean(started?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId) ||
  events.some((event) => Boolean(event.workflowTaskCompletedEventAttributes));

type Input = WatchRecordInput | RetryDeliveryInput | SendBacklogInput;

async function inputOf(
  db: Database,
  type: string,
  workflowId: string,
  events: HistoryEvent[],
): Promise<Input> {
  const id = workflowId.slice(workflowId.indexOf('/') + 1);
  if (type === WORKFLOW_TYPES.sendBacklog) return { webhookId: id };
  if (type === WORKFLOW_TYPES.retryDelivery) {
    return { deliveryId: id, waitMs: 0, words: 'Started again by reconciling.' };
  }
  const promisedCheckIds = await listChecksNotMade(db, id, promisedChecks(events));
  return { recordId: id, ...(promisedCheckIds.length === 0 ? {} : { promisedCheckIds }) };
}

/** Ids that callers were given, or that an earlier run handed on, oldest first. */
function promisedChecks([started, ...events]: HistoryEvent[]): string[] {
  const [first] = started?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const { resume, promisedCheckIds = [] } = readPayload(first);
  const answers = events.map(({ workflowExecutionUpdateCompletedEventAttributes: completed }) => {
    const [answer] = completed?.outcome?.success?.payloads ?? [];
    return readPayload(answer).checkId;
  });
  const ids = [...promisedCheckIds, resume?.requestedCheckId, ...answers];
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

/** As this product's own code wrote it. */
const readPayload = (payload?: Payload): { checkId?: string } & Partial<WatchRecordInput> =>
  payload === undefined ? {} : defaultPayloadConverter.fromPayload(payload);

type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

/** In one request, so that nothing can start in between. */
async function startAgain(
  client: Client,
  { type, input, ...options }: { workflowId: string; type: string; input: Input; staticSummary?: string },
): Promise<void> {
  await client.workflow.start<Workflow>(type, {
    ...options,
    taskQueue: QUEUES[type] ?? TASK_QUEUES.records,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.TERMINATE_EXISTING,
  });
}

/** Names a record in the Temporal UI when its workflow is started; nothing for one that is gone. */
export async function summaryOption(db: Database, recordId: string): Promise<{ staticSummary?: string }> {
  const record = await findRecord(db, recordId);
  return record === undefined ? {} : { staticSummary: recordSummary(record) };
}
