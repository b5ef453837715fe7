// Spans of the product's own work. In a process without traces every function here does nothing (telemetry/start-traces.ts).
import {
  type Attributes,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const SCOPE = 'recordwatch';

/** W3C's fields by name: `traceparent`. */
export type Carrier = Record<string, string>;

/** Ids of the running span, as members of a log line; none without traces. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** Adds to the running span. Ids of the product are allowed, URLs and credentials are not. */
export function noteInTrace(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Starts a span outside of any other. End it. */
export const startRootSpan = (name: string, kind: SpanKind, attributes: Attributes): Span =>
  trace.getTracer(SCOPE).startSpan(name, { kind, attributes, root: true });

/** What another process needs to continue the running span; empty without traces. */
export function traceCarrier(): Carrier {
  const carrier: Carrier = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

export interface SpanOptions {
  kind: SpanKind;
  attributes: Attributes;
  /** Of the process that asked for this. */
  carrier?: Carrier;
  /** Begins a trace of its own that refers to the carrier's. */
  isLinked?: boolean;
  /** Whether the error is one of the work. Default: every error is. */
  isFault?: (error: unknown) => boolean;
}

/** Runs work in a span, which ends with it. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const { kind, attributes, carrier, isLinked = false, isFault = () => true } = options;
  const given = carrier === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, carrier);
  const other = trace.getSpanContext(given);
  const links: Link[] = isLinked && other !== undefined ? [{ context: other }] : [];
  const parent = isLinked ? ROOT_CONTEXT : given;
  const span = trace.getTracer(SCOPE).startSpan(name, { kind, attributes, links }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    // The message may have rows, URLs or statements in it.
    if (isFault(error)) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    }
    throw error;
  } finally {
    span.end();
  }
}
