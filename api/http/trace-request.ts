// A span for each request of the API, in processes with traces. Incoming trace context is ignored, because callers could otherwise
// decide what is sampled.
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { startRootSpan } from '../../telemetry/spans.ts';

/** Register it before hooks that log, so that their lines have the trace. */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route = 'no route', config } = request.routeOptions;
    const { method } = request;
    const span = startRootSpan(`${method} ${route}`, SpanKind.SERVER, {
      'http.request.method': method,
      // Of the route, without the caller's values.
      'http.route': route,
      'recordwatch.request.id': request.id,
      ...(config.operation === undefined ? {} : { 'recordwatch.operation': config.operation }),
    });
    reply.raw.once('close', () => {
      const { statusCode } = reply;
      span.setAttribute('http.response.status_code', statusCode);
      const recordId = request.caller?.record?.id;
      if (recordId !== undefined) span.setAttribute('recordwatch.record.id', recordId);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(context.active(), span), done);
  });
}
