// Starts the traces of a process: spans are sent to an OpenTelemetry collector. Loads the OpenTelemetry SDK only where it is asked
// for. Without it nothing is measured, sent or added to calls.
import { context, propagation, trace } from '@opentelemetry/api';
import { hostname } from 'node:os';
import { type Config, SETTINGS } from '../core/config.ts';

export interface TracesOptions {
  /** Shown as service.name: `recordwatch-api`. */
  serviceName: string;
  config: Pick<Config, 'otlpEndpoint' | 'tracesExporter' | 'tracesSamplerRatio'>;
}

export interface RunningTraces {
  isOn: boolean;
  /** Sends what was not sent yet. Never rejects. */
  shutdown: () => Promise<void>;
}

/** Call it before the first request or activity. @throws Error when there is no collector to send to */
export async function startTraces({ serviceName, config }: TracesOptions): Promise<RunningTraces> {
  const { otlpEndpoint, tracesExporter, tracesSamplerRatio } = config;
  if (tracesExporter === 'none') return { isOn: false, shutdown: async () => undefined };
  if (otlpEndpoint === '') {
    throw new Error(`${SETTINGS.tracesExporter.name}=otlp needs ${SETTINGS.otlpEndpoint.name}.`);
  }
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } =
    await import('@opentelemetry/sdk-trace');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  // Reads its address and headers from the standard OTEL_EXPORTER_OTLP_* variables.
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracesSamplerRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return { isOn: true, shutdown: () => provider.shutdown().catch(() => undefined) };
}
