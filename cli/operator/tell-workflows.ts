// Tells workflows what was just changed. Postgres holds the truth: what is not told costs time only.
import { Client, Connection } from '@temporalio/client';
import { openWorkflowDoor, type WorkflowDoor } from '../../api/workflows.ts';
import type { OperatorSettings } from './settings.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** @returns why they could not be told; undefined when they were */
export async function tellWorkflows(
  { temporalAddress: address, temporalNamespace: namespace }: OperatorSettings,
  tell: (door: WorkflowDoor) => Promise<void>,
): Promise<string | undefined> {
  if (address === '') return 'TEMPORAL_ADDRESS is not set';
  try {
    const connection = await Connection.connect({ address, connectTimeout: CONNECT_TIMEOUT_MS });
    try {
      await tell(openWorkflowDoor(new Client({ connection, namespace })));
    } finally {
      await connection.close();
    }
    return undefined;
  } catch (error) {
    return `Temporal at ${address}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
