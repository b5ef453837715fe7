// Starts the worker or the API, and waits until it logs that it is ready.
import { readLogFrom } from '../process/log-file.ts';
import { awaitReady, startChild, type Child } from '../process/start-child.ts';
import { pathInCheckout } from './run-script.ts';

/**
 * Node options by process. They save memory and time with large bodies and files (docs/performance.md).
 * docker-compose.yml uses the same.
 */
export const NODE_ARGS = {
  worker: ['--max-semi-space-size=4', '--no-allocation-site-pretenuring'],
  api: ['--max-semi-space-size=8'],
} as const;

export interface ServiceOptions {
  name: string;
  /** Its entry point, from the checkout's root: `api/main.ts`. */
  entry: string;
  /** Of Node itself. */
  nodeArgs: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  signal: AbortSignal;
  /** Called when the process exists, before it is ready. */
  onStart: (child: Child) => void;
}

const READY_TIMEOUT_MS = 60_000;

/** @throws Error with the tail of its log when it dies, or when it is not ready within a minute */
export async function startService({
  name,
  entry,
  nodeArgs,
  env,
  logFile,
  signal,
  onStart,
}: ServiceOptions): Promise<Child> {
  const child = await startChild({
    name,
    command: process.execPath,
    args: [...nodeArgs, pathInCheckout(entry)],
    env,
    logFile,
  });
  onStart(child);
  await awaitReady(child, () => saysReady(child), {
    what: `${name} is ready (its log: ${logFile})`,
    timeoutMs: READY_TIMEOUT_MS,
    signal,
  });
  return child;
}

const saysReady = ({ logFile, logStart }: Child): boolean =>
  readLogFrom(logFile, logStart).includes('"msg":"ready"');
