// Tells a record's workflow that its settings changed. Postgres holds the truth: what is not told costs time only.
import { Client, Connection } from '@temporalio/client';
import { openWorkflowDoor } from '../../api/workflows.ts';
import type { OperatorSettings } from '../operator/settings.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** @returns why it could not be told; undefined when it was */
export async function tellWorkflow(
  { temporalAddress: address, temporalNamespace: namespace }: OperatorSettings,
  recordId: string,
): Promise<string | undefined> {
  if (address === '') return 'TEMPORAL_ADDRESS is not set';
  try {
    const connection = await Connection.connect({ address, connectTimeout: CONNECT_TIMEOUT_MS });
    try {
      await openWorkflowDoor(new Client({ connection, namespace })).tell(recordId, 'settingsChanged');
    } finally {
      await connection.close();
    }
    return undefined;
  } catch (error) {
    return `Temporal at ${address}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
