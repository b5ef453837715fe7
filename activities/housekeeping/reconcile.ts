// Brings Temporal in line with Postgres. It starts workflows that are overdue (after an API that died between commit and
// signal, a Temporal server that lost its data, or activities that ran out of retries), restarts workflows that are stuck,
// erases deleted accounts, and deletes the histories of erased records.
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import { eraseSomeOfAccount, listErasableAccounts } from '../../db/accounts/accounts.ts';
import { listOverdueBacklogs, listOverdueDeliveries, listOverdueRecords } from '../../db/upkeep/overdue.ts';
import {
  attemptNow,
  retryDeliveryId,
  type RetryDeliveryInput,
  sendBacklogId,
  type SendBacklogInput,
  settingsChanged,
  type SweepResult,
  TASK_QUEUES,
  watchRecordId,
  type WatchRecordInput,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { forgetErasedRuns } from './erase-record.ts';
import { restartStuck, summaryOption } from './stuck-workflows.ts';

/** The most of each kind in one run; the next run comes within a minute. */
const BATCH = 500;
const ROWS_PER_STEP = 5_000;

/** Safe to run twice: a workflow that runs already only reads Postgres again. */
export async function reconcile(deps: ActivityDeps): Promise<SweepResult> {
  const { db, temporal, config, log } = deps;
  const graceMs = config.reconcileGraceSeconds * 1_000;
  const beat = (): void => Context.current().heartbeat();
  const restarted = await restartStuck(deps, beat).catch((err: unknown) => {
    log.error({ err }, 'stuck workflows could not be listed; the next run tries again');
    return 0;
  });
  const records = await listOverdueRecords(db, graceMs, BATCH);
  const startedRecords = await startEach(records, (id) => wake(deps, id), log);
  const deliveries = await listOverdueDeliveries(db, graceMs, BATCH);
  const startedDeliveries = await startEach(deliveries, (id) => retry(temporal, id), log);
  const backlogs = await listOverdueBacklogs(db, graceMs, BATCH);
  const startedBacklogs = await startEach(backlogs, (id) => sendBacklog(temporal, id), log);
  const accounts = await startEach(
    await listErasableAccounts(db, BATCH),
    (id) => eraseAccount({ db, log }, id),
    log,
  );
  const forgottenRuns = await forgetErasedRuns(temporal, graceMs, beat).catch((err: unknown) => {
    log.error({ err }, 'histories of erased records could not be deleted; the next run tries again');
    return 0;
  });
  return {
    records: startedRecords,
    deliveries: startedDeliveries,
    backlogs: startedBacklogs,
    accounts,
    restarted,
    forgottenRuns,
  };
}

/**
 * Starts each one. A failure is logged, does not stop the others, and is tried again in the next run.
 * @returns how many were started
 */
async function startEach(
  ids: readonly string[],
  start: (id: string) => Promise<void>,
  log: ActivityDeps['log'],
): Promise<number> {
  let started = 0;
  for (const id of ids) {
    try {
      await start(id);
      started += 1;
    } catch (err) {
      log.error({ err, id }, 'reconciling could not start this one');
    }
    Context.current().heartbeat(id);
  }
  return started;
}

/** Signals as well as starts: a workflow that runs may have missed a pause, a new interval, a deletion or a session's end. */
async function wake({ db, temporal }: ActivityDeps, recordId: string): Promise<void> {
  const input: WatchRecordInput = { recordId };
  await temporal.workflow.signalWithStart(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(recordId),
    taskQueue: TASK_QUEUES.records,
    args: [input],
    signal: settingsChanged,
    ...(await summaryOption(db, recordId)),
  });
}

/** Signals as well as starts: a workflow that runs may wait for an old time, although its delivery was reopened. */
async function retry(temporal: Client, deliveryId: string): Promise<void> {
  const input: RetryDeliveryInput = { deliveryId, waitMs: 0, words: 'Overdue: taken up by reconciling.' };
  await temporal.workflow.signalWithStart(WORKFLOW_TYPES.retryDelivery, {
    workflowId: retryDeliveryId(deliveryId),
    taskQueue: TASK_QUEUES.deliveries,
    args: [input],
    signal: attemptNow,
  });
}

/** Does not signal, because a workflow that runs may be waiting for a failing endpoint. */
async function sendBacklog(temporal: Client, webhookId: string): Promise<void> {
  const input: SendBacklogInput = { webhookId };
  await temporal.workflow.start(WORKFLOW_TYPES.sendBacklog, {
    workflowId: sendBacklogId(webhookId),
    taskQueue: TASK_QUEUES.deliveries,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

/** Erases an account whose records are erased. Continues where an earlier run stopped. */
async function eraseAccount({ db, log }: Pick<ActivityDeps, 'db' | 'log'>, accountId: string): Promise<void> {
  while (!(await eraseSomeOfAccount(db, accountId, ROWS_PER_STEP))) Context.current().heartbeat(accountId);
  log.info({ accountId }, 'a deleted account was erased');
}
