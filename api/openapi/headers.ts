// Response headers, each described once among the components.
import type { JsonObject } from './named-schemas.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

const header = (description: string, schema: JsonObject, example: unknown): JsonObject => ({
  description,
  schema,
  example,
});

export const HEADERS = {
  'X-Request-Id': header(
    'Identifies this request in our logs: the one that you sent, if it was well-formed.',
    text,
    '0f4c7b0a-6f0e-4a53-9d0c-9d1f2e3b4c5d',
  ),
  ETag: header(
    'Identifies this response. Send it as `If-None-Match` to get 304 while the content is the same.',
    text,
    '"5d8c72a5edda8d6a"',
  ),
  RateLimit: header(
    'The rest of the quota of this `"account"`, `"session"` or `"address"`: `r` requests, renewed in `t` seconds.',
    text,
    '"account";r=594;t=12',
  ),
  'RateLimit-Policy': header(
    'The quota: `q` requests in each window of `w` seconds.',
    text,
    '"account";q=600;w=60',
  ),
  'X-RateLimit-Limit': header('`q` of the policy, for clients that read no structured fields.', count, 600),
  'X-RateLimit-Remaining': header('`r` of the quota, likewise.', count, 594),
  'X-RateLimit-Reset': header('When the window ends, in seconds since 1970.', count, 1_772_442_060),
  'Retry-After': header('Seconds to wait before the next try.', count, 5),
  'WWW-Authenticate': header('How to authenticate.', text, 'Bearer'),
  'Content-Disposition': header('The name of the file.', text, 'attachment; filename="prices.csv"'),
  'Preference-Applied': header('The longest time that the response was delayed.', text, 'wait=30'),
  'Idempotent-Replayed': header(
    '`true`: this is the response to an earlier request with the same key.',
    text,
    'true',
  ),
  Deprecation: header('Since when the operation is deprecated (RFC 9745).', text, '@1767225600'),
  Sunset: header('When the operation stops working (RFC 8594).', text, 'Thu, 31 Dec 2026 23:59:59 GMT'),
  Link: header('A page that says what to use instead.', text, '</docs>; rel="deprecation"'),
} as const satisfies Record<string, JsonObject>;

export type HeaderName = keyof typeof HEADERS;

/** On every response to an admitted caller. */
export const RATE_LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies HeaderName[];

/** References to these headers, for a response. */
export function headerReferences(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
