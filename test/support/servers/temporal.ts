// The shared Temporal server for one test file: its own namespace, and a client for it.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { inject } from 'vitest';
import { registerSearchAttributes } from '../../../worker/prepare-namespace.ts';
import { until } from '../until.ts';

export interface TestTemporal {
  address: string;
  namespace: string;
  connection: Connection;
  client: Client;
}

/** Building the server takes some ten minutes on a slow machine. */
const TEMPORAL_DEADLINE_MS = 25 * 60_000;

/** Waits for the server and creates a namespace that no other file uses. */
export async function openTemporal(): Promise<TestTemporal> {
  const { address, statusFile } = inject('temporal');
  if (process.env['TEMPORAL_ADDRESS'] === undefined) {
    await until('the Temporal server serves', () => existsSync(statusFile), {
      deadlineMs: TEMPORAL_DEADLINE_MS,
      everyMs: 100,
    });
    const failure = readFileSync(statusFile, 'utf8');
    if (failure !== '') throw new Error(failure);
  }
  const connection = await Connection.connect({ address });
  const namespace = `test-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const client = new Client({ connection, namespace });
  // The services of the server learn of a new namespace one after the other.
  await until('the namespace is known', () => isUsable(client), { everyMs: 100 });
  await registerSearchAttributes(connection, namespace);
  return { address, namespace, connection, client };
}

async function isUsable(client: Client): Promise<boolean> {
  try {
    await client.workflow.count();
    return true;
  } catch {
    return false;
  }
}
