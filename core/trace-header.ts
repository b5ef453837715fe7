// The header of Temporal's calls that carries a trace from API to activities. Temporal's other SDKs use the same name and form: a
// JSON object with W3C's `traceparent`.
export const TRACE_HEADER = '_tracer-data';
