// CORS: pages of any origin may use everything that a credential in a header allows. There are no cookies, so no page can
// act as a visitor who did not give it a credential (docs/decisions/0017-http-contract.md).
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Browsers cache preflights no longer than this. */
const PREFLIGHT_SECONDS = 7_200;

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'X-Request-Id',
];

const EXPOSED_HEADERS = [
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Applies to the routes of this instance. A route that answers preflights itself declares `preflightOf`. */
export async function allowBrowsers(app: FastifyInstance): Promise<void> {
  // The package's own OPTIONS route for any path. Pages learn nothing about paths outside this instance.
  app.addHook('onRoute', (route) => {
    if (route.url !== '*') return;
    route.config = { ...route.config, cors: false };
    // Before the body is parsed.
    route.onRequest = (_request, reply) => reply.callNotFound();
  });
  await app.register(cors, {
    origin: '*',
    preflight: false,
    strictPreflight: false,
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}

/** The configuration for @fastify/cors of an OPTIONS route whose path accepts these methods. */
export function preflightOf(methods: readonly string[]): { preflight: true; methods: string[] } {
  return { preflight: true, methods: [...methods] };
}
