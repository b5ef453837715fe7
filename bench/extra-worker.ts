// A worker process of a measurement, beside the one of the system.
import { join } from 'node:path';
import type { Child } from '../cli/process/start-child.ts';
import { NODE_ARGS, startService } from '../cli/start/start-service.ts';
import { START_DEFAULTS } from '../cli/start/child-settings.ts';
import type { System } from './system.ts';

/** @param settings those that the system was started with, KEY_ENCRYPTION_KEYS among them, and the worker's own */
export function startExtraWorker(
  { dev, home }: System,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<Child> {
  const env = {
    PATH: process.env['PATH'],
    ...START_DEFAULTS,
    DATABASE_URL: dev.databaseUrl,
    TEMPORAL_ADDRESS: dev.temporalAddress,
    TEMPORAL_NAMESPACE: dev.temporalNamespace,
    RECORDWATCH_HOME: home,
    BASE_URL: dev.baseUrl,
    ...settings,
  };
  return startService({
    name,
    entry: 'worker/main.ts',
    nodeArgs: NODE_ARGS.worker,
    env,
    logFile: join(home, `${name}.log`),
    signal: new AbortController().signal,
    onStart: () => undefined,
  });
}
