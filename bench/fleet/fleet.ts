// A fleet of 200 `watchRecord` workflows that a measurement starts and stops.
import type { Client } from '@temporalio/client';
import { waitFor } from '../../cli/process/wait-for.ts';
import {
  settingsChanged,
  TASK_QUEUES,
  watchRecordId,
  type WatchRecordInput,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';

export const FLEET_SIZE = 200;

/** What every plan says in both fleets, so that their workflows schedule the same timers. */
export const CHECK_EVERY_MS = 1;
/** The variable that tells the worker with empty activities another time. */
export const CHECK_EVERY = 'CHECK_EVERY_MS';

export interface Fleet {
  name: string;
  workerPid: number;
  start: () => Promise<void>;
  /** Comes back when no check ends any more. */
  rest: () => Promise<void>;
  /** How many checks have ended so far. */
  checksDone: () => Promise<number>;
}

/** Starts the workflows of these records; those that run are told to look at their plan again. */
export async function wakeAll(temporal: Client, recordIds: readonly string[]): Promise<void> {
  const wake = (recordId: string) => {
    const input: WatchRecordInput = { recordId };
    return temporal.workflow.signalWithStart(WORKFLOW_TYPES.watchRecord, {
      workflowId: watchRecordId(recordId),
      taskQueue: TASK_QUEUES.records,
      args: [input],
      signal: settingsChanged,
    });
  };
  await Promise.all(recordIds.map(wake));
}

const QUIET_MS = 2_000;

export async function awaitRest(fleet: Pick<Fleet, 'name' | 'checksDone'>): Promise<void> {
  let before = -1;
  const isQuiet = async () => {
    const now = await fleet.checksDone();
    const isSame = now === before;
    before = now;
    return isSame || undefined;
  };
  await waitFor(isQuiet, { what: `${fleet.name} rests`, timeoutMs: 120_000, intervalMs: QUIET_MS });
}
