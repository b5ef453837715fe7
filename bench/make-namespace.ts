// A namespace of a system's Temporal server, for workers of a measurement.
import { Client, type Connection } from '@temporalio/client';
import { waitFor } from '../cli/process/wait-for.ts';
import { registerSearchAttributes } from '../worker/prepare-namespace.ts';

/** Makes a namespace of Temporal that a worker can use. */
export async function makeNamespace(connection: Connection, namespace: string): Promise<Client> {
  await connection.workflowService.registerNamespace({
    namespace,
    // The type wants a Long; a number is what the wire takes.
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const client = new Client({ connection, namespace });
  // The server's parts learn of a namespace one after the other.
  const isKnown = () =>
    client.workflow.count().then(
      () => true,
      () => undefined,
    );
  await waitFor(isKnown, { what: 'the namespace is known', timeoutMs: 60_000, intervalMs: 200 });
  await registerSearchAttributes(connection, namespace);
  return client;
}
