// Starts what Postgres says should run and Temporal does not know: after an API that died between commit and
// signal, a Temporal server that lost its data, first attempts that gave up.
import { Context } from '@temporalio/activity';
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import { listOverdueDeliveries, listOverdueRecords } from '../db/overdue.ts';
import type { RetryDeliveryInput, SweepResult, WatchRecordInput } from '../workflows/contract.ts';
import { retryDeliveryId, TASK_QUEUES, watchRecordId, WORKFLOW_TYPES } from '../workflows/contract.ts';
import type { ActivityDeps } from './deps.ts';

/** At most so many of each kind at a time; the next run comes within a minute. */
const BATCH = 500;

/** Touches overdue rows only. A workflow that runs already is left alone, so running twice does no harm. */
export async function reconcile({ db, temporal, config }: ActivityDeps): Promise<SweepResult> {
  const graceMs = config.reconcileGraceSeconds * 1_000;
  const records = await listOverdueRecords(db, graceMs, BATCH);
  for (const recordId of records) {
    const input: WatchRecordInput = { recordId };
    await start(temporal, WORKFLOW_TYPES.watchRecord, watchRecordId(recordId), TASK_QUEUES.records, input);
  }
  const deliveries = await listOverdueDeliveries(db, graceMs, BATCH);
  for (const deliveryId of deliveries) {
    const input: RetryDeliveryInput = { deliveryId, waitMs: 0, words: 'Overdue: taken up by reconciling.' };
    await start(
      temporal,
      WORKFLOW_TYPES.retryDelivery,
      retryDeliveryId(deliveryId),
      TASK_QUEUES.deliveries,
      input,
    );
  }
  return { records: records.length, deliveries: deliveries.length };
}

async function start(
  temporal: ActivityDeps['temporal'],
  type: string,
  workflowId: string,
  taskQueue: string,
  input: WatchRecordInput | RetryDeliveryInput,
): Promise<void> {
  await temporal.workflow.start(type, {
    workflowId,
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
  Context.current().heartbeat(workflowId);
}
