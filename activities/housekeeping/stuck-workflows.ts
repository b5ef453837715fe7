// Restarts stuck workflows, whose tasks fail again and again, for example because the code does not match the history of an
// earlier version. Temporal retries such a task without end. All state is in PostgreSQL, so a new run can take over.
import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { Payload, ProtoFailure, Workflow } from '@temporalio/common';
import { recordSummary } from '../../core/record-summary.ts';
import { listChecksNotMade } from '../../db/check-log.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findRecord } from '../../db/records/records.ts';
import { readFailure, readPayload } from '../../outbound/payload-codec.ts';
import {
  type RetryDeliveryInput,
  type SendBacklogInput,
  TASK_QUEUES,
  type WatchRecordInput,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';

/** Workflows examined in one pass; the next pass comes within a minute. */
const BATCH = 500;
/** Workflows listed in one pass. More than BATCH, so that those that are left alone do not hide the others. */
const MAX_LISTED = 10_000;
/** Tasks must have failed for this many grace periods. During a deployment some fail for a minute or two. */
const GRACES = 5;

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];

/** A workflow task that has failed at least once and is being retried. */
export interface FailingTask {
  runId: string;
  attempt: number;
  since: Date;
  /** The message of its first failure. Later failures leave no event. */
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
  const { failure } = failed?.workflowTaskFailedEventAttributes ?? {};
  const reason = failure ? await wordsOf(client, failure) : null;
  return { runId, attempt, since: new Date(Number(originalScheduledTime.seconds) * 1_000), reason, history };
}

/**
 * Restarts workflows of records, deliveries and backlogs that have been failing for several grace periods. Ids of checks
 * that were promised to callers but not made are not in PostgreSQL, so they are read from the history. A run whose first
 * task fails is left alone: a new run would fail too, and this one continues once the code is fixed.
 * @returns how many were restarted
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
      if (!hasProgressed(history)) continue;
      const input = await inputOf({ db, temporal }, type, workflowId, history);
      const options = 'recordId' in input ? await summaryOption(db, input.recordId) : {};
      await restart(temporal, { workflowId, type, input, ...options });
      restarted += 1;
      log.warn({ workflowId, ...facts }, 'a stuck workflow was restarted from the state in Postgres');
    } catch (err) {
      log.error({ err, workflowId }, 'a stuck workflow could not be restarted');
    }
  }
  return restarted;
}

/** Workflows that the server has marked, after five failed tasks in a row. */
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

/** Workflow types that need nothing but an id to start. */
const QUEUES: Readonly<Record<string, string>> = {
  [WORKFLOW_TYPES.watchRecord]: TASK_QUEUES.records,
  [WORKFLOW_TYPES.retryDelivery]: TASK_QUEUES.deliveries,
  [WORKFLOW_TYPES.sendBacklog]: TASK_QUEUES.deliveries,
};

/** Whether the run completed a task, or continues a run that did. In the latter case the state handed over may be the fault. */
const hasProgressed = ([started, ...events]: HistoryEvent[]): boolean =>
  Boolean(started?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId) ||
  events.some((event) => Boolean(event.workflowTaskCompletedEventAttributes));

type Input = WatchRecordInput | RetryDeliveryInput | SendBacklogInput;

async function inputOf(
  { db, temporal }: Pick<ActivityDeps, 'db' | 'temporal'>,
  type: string,
  workflowId: string,
  events: HistoryEvent[],
): Promise<Input> {
  const id = workflowId.slice(workflowId.indexOf('/') + 1);
  if (type === WORKFLOW_TYPES.sendBacklog) return { webhookId: id };
  if (type === WORKFLOW_TYPES.retryDelivery) {
    return { deliveryId: id, waitMs: 0, words: 'Restarted by reconciling.' };
  }
  const promisedCheckIds = await listChecksNotMade(db, id, await promisedChecks(temporal, events));
  return { recordId: id, ...(promisedCheckIds.length === 0 ? {} : { promisedCheckIds }) };
}

/** Check ids that callers were given, or that an earlier run handed over, oldest first. */
async function promisedChecks(client: Client, [started, ...events]: HistoryEvent[]): Promise<string[]> {
  const [first] = started?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const { resume, promisedCheckIds = [] } = await readOwn(client, first);
  const answers: unknown[] = [];
  for (const { workflowExecutionUpdateCompletedEventAttributes: completed } of events) {
    const [answer] = completed?.outcome?.success?.payloads ?? [];
    answers.push((await readOwn(client, answer)).checkId);
  }
  const ids = [...promisedCheckIds, resume?.requestedCheckId, ...answers];
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

type OwnPayload = { checkId?: string } & Partial<WatchRecordInput>;

/** Payloads are written by this product's own code. */
const readOwn = async (client: Client, payload?: Payload): Promise<OwnPayload> =>
  payload === undefined ? {} : ((await readPayload(client, payload)) as OwnPayload);

/** @returns the words of a failure; that they cannot be opened, without the key of a payload codec */
const wordsOf = (client: Client, failure: ProtoFailure): Promise<string> =>
  readFailure(client, failure).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );

/** Terminates and starts in one request, so that nothing can start in between. */
async function restart(
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
