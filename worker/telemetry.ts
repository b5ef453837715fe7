// Sends the log lines of Temporal's native runtime to the worker's log.
import type { LogLevel, LogMetadata } from '@temporalio/worker';
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Must run before the first connection, because the runtime cannot be changed afterwards. */
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

/** The SDK's info lines are debug lines here. */
const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
