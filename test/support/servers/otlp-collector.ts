// A collector of OpenTelemetry (OTLP over HTTP): keeps what it is sent, and reads traces from protobuf by the published definition.
import { createServer } from 'node:http';
import protobuf from 'protobufjs';
import { freePort } from './free-port.ts';

/** https://github.com/open-telemetry/opentelemetry-proto, trace/v1/trace.proto: the fields that tests read. */
const TRACES = protobuf
  .parse(
    `
  syntax = "proto3";
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; int32 code = 3; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
  }
  message ScopeSpans { repeated Span spans = 2; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
`,
  )
  .root.lookupType('ExportTraceServiceRequest');

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

/** As the definition above says, with bytes as hex. */
interface Decoded {
  resourceSpans?: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { spans: DecodedSpan[] }[];
  }[];
}

interface DecodedSpan {
  traceId: Uint8Array;
  spanId: Uint8Array;
  parentSpanId?: Uint8Array;
  name: string;
  kind: number;
  attributes?: KeyValue[];
  links?: { traceId: Uint8Array }[];
  status?: { code?: number };
}

export interface CollectedSpan {
  service: unknown;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty: the first of its trace. */
  parentId: string;
  attributes: Readonly<Record<string, unknown>>;
  /** Traces that it refers to. */
  linkedTraces: string[];
  isFault: boolean;
}

export interface OtlpCollector {
  url: string;
  /** Bodies by path. */
  received: { path: string; type: string; body: Buffer }[];
  spans: () => CollectedSpan[];
  close: () => void;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const received: OtlpCollector['received'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const type = request.headers['content-type'] ?? '';
      received.push({ path: request.url ?? '', type, body: Buffer.concat(chunks) });
      response.writeHead(200, { 'content-type': type }).end();
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    spans: () => received.filter(({ path }) => path === '/v1/traces').flatMap(({ body }) => readSpans(body)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const hex = (bytes: Uint8Array = new Uint8Array()): string => Buffer.from(bytes).toString('hex');

const valuesOf = (attributes: KeyValue[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

function readSpans(body: Buffer): CollectedSpan[] {
  // By the definition above.
  const { resourceSpans = [] } = TRACES.toObject(TRACES.decode(body), { longs: Number }) as Decoded;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: valuesOf(resource.attributes)['service.name'],
        name: span.name,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentId: hex(span.parentSpanId),
        attributes: valuesOf(span.attributes),
        linkedTraces: (span.links ?? []).map(({ traceId }) => hex(traceId)),
        isFault: span.status?.code === 2,
      })),
    ),
  );
}
