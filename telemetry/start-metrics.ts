// Starts the metrics of a process: a Prometheus endpoint, an OTLP exporter, both or none. Loads the OpenTelemetry SDK only
// where it is asked for.
import { metrics } from '@opentelemetry/api';
import { hostname } from 'node:os';
import type { Config } from '../core/config.ts';

export interface MetricsOptions {
  /** Shown as service.name: `recordwatch-api`. */
  serviceName: string;
  config: Pick<Config, 'metricsAddress' | 'otlpEndpoint' | 'otlpIntervalMs'>;
}

export interface RunningMetrics {
  isOn: boolean;
  /** Sends what was not exported yet. Never rejects. */
  shutdown: () => Promise<void>;
}

/** Call it before anything is measured. @throws Error when the address is taken */
export async function startMetrics(options: MetricsOptions): Promise<RunningMetrics> {
  const { metricsAddress, otlpEndpoint, otlpIntervalMs } = options.config;
  if (metricsAddress === null && otlpEndpoint === '') return { isOn: false, shutdown: async () => undefined };
  const { MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const readers = [];
  if (metricsAddress !== null) {
    const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
    const exporter = new PrometheusExporter({
      ...metricsAddress,
      preventServerStart: true,
      withoutScopeInfo: true,
    });
    await exporter.startServer();
    readers.push(exporter);
  }
  if (otlpEndpoint !== '') {
    // Reads its address and headers from the standard OTEL_EXPORTER_OTLP_* variables.
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
    const exporter = new OTLPMetricExporter();
    readers.push(
      new PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: otlpIntervalMs,
        exportTimeoutMillis: Math.min(otlpIntervalMs, 10_000),
      }),
    );
  }
  const resource = resourceFromAttributes({
    'service.name': options.serviceName,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  const provider = new MeterProvider({ resource, readers });
  metrics.setGlobalMeterProvider(provider);
  // Garbage collection, heap and event loop. Sampling every 10 ms, the default, takes five times the processor time at rest.
  const { RuntimeNodeInstrumentation } = await import('@opentelemetry/instrumentation-runtime-node');
  new RuntimeNodeInstrumentation({ monitoringPrecision: 50 }).setMeterProvider(provider);
  return { isOn: true, shutdown: () => provider.shutdown().catch(() => undefined) };
}
