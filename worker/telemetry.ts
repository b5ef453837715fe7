// The native runtime's log lines, joined to ours.
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Must run before the first connection: the runtime cannot be changed afterwards. */
export function installRuntime(log: Logger): void {
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log: (level, message, meta) => log[levelOf(level)](meta ?? {}, message),
      trace: (message, meta) => log.trace(meta ?? {}, message),
      debug: (message, meta) => log.debug(meta ?? {}, message),
      info: (message, meta) => log.debug(meta ?? {}, message),
      warn: (message, meta) => log.warn(meta ?? {}, message),
      error: (message, meta) => log.error(meta ?? {}, message),
    },
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} } },
  });
}

const levelOf = (level: string): 'trace' | 'debug' | 'info' | 'warn' | 'error' => {
  const known = ['trace', 'debug', 'info', 'warn', 'error'] as const;
  return known.find((name) => name === level.toLowerCase()) ?? 'info';
};
