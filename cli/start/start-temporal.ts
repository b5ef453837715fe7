// The Temporal server of a run: the one that TEMPORAL_ADDRESS names, or one of our own.
import getPort from 'get-port';
import { waitFor } from '../process/wait-for.ts';
import { findTemporalServer } from '../temporal/find-server.ts';
import { isServing } from '../temporal/health.ts';
import { startTemporalServer } from '../temporal/start-server.ts';
import type { Run } from './run.ts';
import { openUiGate } from './temporal-ui-gate.ts';
import type { Report } from '../process/steps.ts';

export interface TemporalOptions {
  /** TEMPORAL_ADDRESS; empty: none. */
  given: string;
  /** Whether the given server is reached over TLS. */
  usesTls: boolean;
  namespace: string;
  port: number;
  /** On which users reach the UI. */
  uiPort: number;
}

export interface TemporalServer {
  address: string;
  /** Null when the server is not ours. */
  uiUrl: string | null;
  /** Null when it keeps its data elsewhere than in a PostgreSQL of ours. */
  databaseUrl: string | null;
  /** What runs, for the user. */
  words: string;
}

export async function startTemporal(
  run: Run,
  options: TemporalOptions,
  report: Report,
): Promise<TemporalServer> {
  const { given, namespace, port, uiPort } = options;
  if (given !== '') return await useGiven(run, options, report);
  report('looking for the server');
  const { path, version } = await findTemporalServer({ report, signal: run.signal });
  report('starting the server');
  const hiddenPort = await getPort({ host: '127.0.0.1' });
  const server = await startTemporalServer({
    path,
    folder: run.home.file('temporal'),
    port,
    uiPort: hiddenPort,
    namespace,
    logFile: run.home.logFile('temporal'),
    signal: run.signal,
    onStart: run.adopt,
  });
  const gate = await openUiGate(uiPort, hiddenPort);
  run.stack.defer(gate.close);
  const { url: uiUrl } = gate;
  const words = `version ${version} at ${server.address}, UI at ${uiUrl}`;
  return { address: server.address, uiUrl, databaseUrl: null, words };
}

/** Over TLS the API and the worker do the waiting: the runner's probe does not know certificates. */
async function useGiven(
  run: Run,
  { given: address, usesTls }: TemporalOptions,
  report: Report,
): Promise<TemporalServer> {
  const server = { address, uiUrl: null, databaseUrl: null, words: address };
  if (usesTls) return server;
  report(`waiting for ${address}, which TEMPORAL_ADDRESS names`);
  await waitFor(async () => (await isServing(address)) || undefined, {
    what: `${address}, which TEMPORAL_ADDRESS names, says that it serves`,
    timeoutMs: 30_000,
    intervalMs: 500,
    signal: run.signal,
  });
  return server;
}
