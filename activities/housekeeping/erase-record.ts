// Erases deleted records: bodies, rows and the record itself; then the workflow histories of erased records.
import { Context } from '@temporalio/activity';
import { eraseSomeOfRecord } from '../../db/upkeep/retention.ts';
import { type CheckDeps, withComparisonSlot } from '../checks/check-deps.ts';
import type { ActivityDeps } from '../deps.ts';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { WORKFLOW_TYPES } from '../../workflows/contract.ts';

const ROWS_PER_STEP = 10_000;

/** Erases in bounded steps, and continues where an earlier run stopped. Ignores a record that is not deleted. */
export const eraseRecord = (deps: CheckDeps, recordId: string): Promise<void> =>
  withComparisonSlot(deps, recordId, () => erase(deps, recordId));

async function erase({ db, blobs }: ActivityDeps, recordId: string): Promise<void> {
  await blobs.removeAll(recordId);
  for (let step = 1; !(await eraseSomeOfRecord(db, recordId, ROWS_PER_STEP)); step += 1) {
    Context.current().heartbeat(step);
  }
}

/** Workflows in one run; the next run takes the rest. */
const BATCH = 500;
/** Workflow ids in one query to the visibility store. */
const IDS_PER_QUERY = 50;

/** gRPC status code. */
const NOT_FOUND = 5;

/**
 * Deletes the runs of completed record workflows. A record's workflow completes only when the record is erased, so no list
 * of erased records is needed. A workflow cannot delete its own runs.
 * @param graceMs how long ago the workflow must have completed
 * @returns how many deletions were requested; Temporal takes about a minute, and a run may be requested again meanwhile
 */
export async function forgetErasedRuns(
  client: Client,
  graceMs: number,
  onStep: () => void = () => undefined,
): Promise<number> {
  const ids = await listCompleted(client, new Date(Date.now() - graceMs));
  let removed = 0;
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
    const named = ids.slice(from, from + IDS_PER_QUERY).map((id) => `'${id}'`);
    const query = `(WorkflowId IN (${named.join(',')}) OR ParentWorkflowId IN (${named.join(',')}))
      AND ExecutionStatus != 'Running'`;
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      if (await removeRun(client, workflowId, runId)) removed += 1;
      onStep();
    }
  }
  return removed;
}

async function listCompleted(client: Client, before: Date): Promise<string[]> {
  const query = `WorkflowType = '${WORKFLOW_TYPES.watchRecord}' AND ExecutionStatus = 'Completed'
    AND CloseTime < '${before.toISOString()}'`;
  const ids = new Set<string>();
  for await (const { workflowId } of client.workflow.list({ query, pageSize: BATCH })) {
    ids.add(workflowId);
    if (ids.size === BATCH) break;
  }
  return [...ids];
}

/** @returns false when the run is already deleted, which the visibility store shows with a delay */
async function removeRun(client: Client, workflowId: string, runId: string): Promise<boolean> {
  try {
    await client.workflowService.deleteWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId, runId },
    });
    return true;
  } catch (error) {
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code === NOT_FOUND) return false;
    throw error;
  }
}
