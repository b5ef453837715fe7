// The native runtime's log lines, joined to ours.
import type { LogLevel, LogMetadata } from '@temporalio/worker';
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Must run before the first connection: the runtime cannot be changed afterwards. */
export function installRuntime(log: Logger): void {
  const write = (level: LogLevel, message: string, meta: LogMetadata = {}): void =>
    log[LEVELS[level]](meta, message);
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log: (level, message, meta) => write(level, message, meta),
      trace: (message, meta) => write('TRACE', message, meta),
      debug: (message, meta) => write('DEBUG', message, meta),
      info: (message, meta) => write('INFO', message, meta),
      warn: (message, meta) => write('WARN', message, meta),
      error: (message, meta) => write('ERROR', message, meta),
    },
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} } },
  });
}

/** What the SDK finds worth saying in passing is detail here: our own lines tell what a worker does. */
const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
