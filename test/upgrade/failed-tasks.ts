// The failures of workflows during a drill, from all histories and the logs of all workers.
import { readFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';

/** temporal.api.enums.v1.WorkflowTaskFailedCause */
const NON_DETERMINISTIC = 24;

export interface Histories {
  temporal: Client;
  /** Files with the logs of all workers. */
  logs: () => string[];
}

export interface FailedTasks {
  workflows: number;
  nonDeterministic: number;
  /** Other causes, by number. */
  others: Record<string, number>;
  /** Workflows that reconciling started again because their tasks failed. */
  restarted: number;
}

export async function failedTasks({ temporal, logs }: Histories): Promise<FailedTasks> {
  const causes = new Map<number, number>();
  let workflows = 0;
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    workflows += 1;
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { workflowTaskFailedEventAttributes: failed } of events ?? []) {
      if (failed) causes.set(Number(failed.cause), (causes.get(Number(failed.cause)) ?? 0) + 1);
    }
  }
  const nonDeterministic = causes.get(NON_DETERMINISTIC) ?? 0;
  causes.delete(NON_DETERMINISTIC);
  const lines = logs().flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const restarted = lines.filter((line) => line.includes('a stuck workflow was restarted')).length;
  return { workflows, nonDeterministic, others: Object.fromEntries(causes), restarted };
}
