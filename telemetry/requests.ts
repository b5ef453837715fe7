// Metrics of the API's requests, by the semantic conventions for HTTP servers:
// https://opentelemetry.io/docs/specs/semconv/http/http-metrics/
import { durations } from './instruments.ts';

/** The buckets that the conventions ask for. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const requests = durations('http.server.request.duration', 'Duration of HTTP server requests.', SECONDS);

export interface AnsweredRequest {
  method: string;
  /** The path of the route, without the caller's values; undefined when there is no such path. */
  route: string | undefined;
  /** Name of the operation; undefined for pages and the like. */
  operation: string | undefined;
  status: number;
  ms: number;
}

export function countRequest({ method, route, operation, status, ms }: AnsweredRequest): void {
  requests(ms, {
    // Any client can invent methods, and each would be a time series.
    'http.request.method': METHODS.has(method) ? method : '_OTHER',
    'http.response.status_code': status,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(operation === undefined ? {} : { operation }),
    ...(status >= 500 ? { 'error.type': String(status) } : {}),
  });
}
