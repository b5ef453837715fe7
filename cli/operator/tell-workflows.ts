// Calls to Temporal. PostgreSQL holds the truth: a workflow that misses a signal acts late, never wrongly.
import { Client, Connection } from '@temporalio/client';
import { openWorkflowClient, type WorkflowClient } from '../../api/temporal/workflows.ts';
import { temporalConnectionOptions } from '../../outbound/connect-temporal.ts';
import { sealingOptions } from '../../outbound/payload-codec.ts';
import type { OperatorSettings } from './settings.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_WITHIN_MS = 30_000;

/** @returns why they could not be notified; undefined when they were */
export async function tellWorkflows(
  settings: OperatorSettings,
  tell: (workflows: WorkflowClient) => Promise<void>,
): Promise<string | undefined> {
  const { error } = await askTemporal(settings, (client) => tell(openWorkflowClient(client)));
  return error;
}

/** @returns the answer, or why there is none */
export async function askTemporal<T>(
  settings: OperatorSettings,
  ask: (client: Client) => Promise<T>,
): Promise<{ answer: T; error?: never } | { answer?: never; error: string }> {
  const { temporalAddress: address, temporalNamespace: namespace } = settings;
  if (address === '') return { error: 'TEMPORAL_ADDRESS is not set' };
  try {
    const connection = await Connection.connect({
      ...temporalConnectionOptions(settings),
      connectTimeout: CONNECT_TIMEOUT_MS,
    });
    try {
      const client = new Client({ connection, namespace, ...sealingOptions(settings) });
      return { answer: await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () => ask(client)) };
    } finally {
      await connection.close();
    }
  } catch (error) {
    return { error: `Temporal at ${address}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
