// Sends the log lines of Temporal's native runtime to the worker's log, and its metrics to where the settings say.
import type { LogLevel, LogMetadata, TelemetryOptions } from '@temporalio/worker';
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';

/** Must run before the first connection, because the runtime cannot be changed afterwards. */
export function installRuntime(log: Logger, config: MetricsSettings = NO_METRICS): void {
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
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} },
      ...metricsOf(config),
    },
  });
}

type MetricsSettings = Pick<Config, 'temporalMetricsAddress' | 'otlpEndpoint' | 'otlpIntervalMs'>;

const NO_METRICS: MetricsSettings = { temporalMetricsAddress: null, otlpEndpoint: '', otlpIntervalMs: 0 };

/** The runtime has one exporter: Prometheus asks it, or it sends to the collector. */
function metricsOf({
  temporalMetricsAddress,
  otlpEndpoint,
  otlpIntervalMs,
}: MetricsSettings): TelemetryOptions {
  if (temporalMetricsAddress !== null) {
    const { host, port } = temporalMetricsAddress;
    const bindAddress = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    return {
      metrics: {
        prometheus: {
          bindAddress,
          countersTotalSuffix: true,
          unitSuffix: true,
          useSecondsForDurations: true,
        },
      },
    };
  }
  if (otlpEndpoint === '') return {};
  const url = `${otlpEndpoint}/v1/metrics`;
  return {
    metrics: {
      otel: { url, http: true, metricsExportInterval: otlpIntervalMs, useSecondsForDurations: true },
    },
  };
}

/** The SDK's info lines are debug lines here. */
const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
