// Removes from Temporal what it keeps of records that are erased: the histories of their workflows.
import type { Client } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import { WORKFLOW_TYPES } from '../../workflows/contract.ts';

/** Workflows at a time; the next run takes the rest. */
const BATCH = 500;
/** Ids that one question to the visibility store names. */
const IDS_PER_QUERY = 50;

/** Of gRPC. */
const NOT_FOUND = 5;

/**
 * A record's workflow completes only when the record is erased, so every run of a completed one is of no more use; no
 * list of erased records is needed. A workflow cannot do this for itself, because it is one of the runs.
 * @param graceMs how long ago it must have completed
 * @returns how many runs Temporal was told to remove; it takes a minute, and until then a run is told of again
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

/** @returns false when it is gone already: the visibility store learns of a removal a little later */
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
