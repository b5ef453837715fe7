// What browsers may do from pages of anybody: everything that a credential in a header allows. There are no cookies,
// so no page can act as a visitor who did not hand it a credential (docs/decisions/0017).
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Browsers remember no longer than this. */
const PREFLIGHT_SECONDS = 7_200;

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
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

/** For the routes of this instance only; a route that answers preflights says so by `preflightOf`. */
export async function allowBrowsers(app: FastifyInstance): Promise<void> {
  // The package's own route for OPTIONS anywhere: of paths that are not ours to open, no page learns anything.
  app.addHook('onRoute', (route) => {
    if (route.url !== '*') return;
    route.config = { ...route.config, cors: false };
    // Before the body is looked at.
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

/** What @fastify/cors is told of the OPTIONS route of a path that takes these methods. */
export function preflightOf(methods: readonly string[]): { preflight: true; methods: string[] } {
  return { preflight: true, methods: [...methods] };
}
