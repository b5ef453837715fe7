// Prepares the Temporal namespace: search attributes, and schedules for housekeeping.
import type { Client } from '@temporalio/client';
import { isGrpcServiceError, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { SCHEDULE_IDS, TASK_QUEUES, WORKFLOW_TYPES } from '../workflows/contract.ts';
import { SEARCH_ATTRIBUTES } from '../workflows/search-attributes.ts';

// temporal.api.enums.v1.IndexedValueType
const INDEXED_VALUE_TYPES: Partial<Record<SearchAttributeType, number>> = {
  [SearchAttributeType.KEYWORD]: 2,
  [SearchAttributeType.INT]: 3,
};

/** gRPC status codes of a server that leaves search attributes to its own tools, as Temporal Cloud does. */
const NOT_OURS_TO_CHANGE = new Set([7 /* PERMISSION_DENIED */, 12 /* UNIMPLEMENTED */]);

/**
 * Registers missing search attributes.
 * @throws Error that names them when the server does not let us register any
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter(({ name }) => !(name in customAttributes));
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type] ?? 0]),
      ),
    });
  } catch (cause) {
    if (!isGrpcServiceError(cause) || !NOT_OURS_TO_CHANGE.has(cause.code)) throw cause;
    const words = missing.map(({ name, type }) => `${name} (${type})`).join(', ');
    throw new Error(
      `Namespace ${namespace} lacks search attributes, and Temporal does not let Recordwatch add them. Create: ${words}.`,
      { cause },
    );
  }
}

interface Housekeeping {
  scheduleId: string;
  workflowType: string;
  every: `${number}s` | `${number}m`;
  /** Ends a stuck run, so that the next one can start. */
  within: `${number}h`;
  note: string;
}

const HOUSEKEEPING: readonly Housekeeping[] = [
  {
    scheduleId: SCHEDULE_IDS.reconcile,
    workflowType: WORKFLOW_TYPES.reconcile,
    every: '60s',
    within: '1h',
    note: 'Starts what Postgres says should run and Temporal does not know.',
  },
  {
    scheduleId: SCHEDULE_IDS.pruneHistory,
    workflowType: WORKFLOW_TYPES.pruneHistory,
    every: '60m',
    within: '12h',
    note: 'Deletes history that is older than its record’s tier keeps.',
  },
];

/** Creates missing schedules. An existing schedule keeps the operator's changes, and gets an execution timeout if it has none. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const { scheduleId, workflowType, every, within, note } of HOUSEKEEPING) {
    const limits = { workflowExecutionTimeout: within };
    try {
      await client.schedule.create({
        scheduleId,
        spec: { intervals: [{ every }] },
        action: { type: 'startWorkflow', workflowType, taskQueue: TASK_QUEUES.records, args: [], ...limits },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
        state: { note },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const handle = client.schedule.getHandle(scheduleId);
      const { action } = await handle.describe();
      if (action.workflowExecutionTimeout !== undefined) continue;
      await handle.update((found) => ({ ...found, action: { ...found.action, ...limits } }));
    }
  }
}
