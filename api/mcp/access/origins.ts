// Which web pages may call the MCP server: its own pages, and pages on the caller's own machine (developer tools).
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

function isAllowedOrigin(origin: string, baseUrl: string): boolean {
  const url = URL.parse(origin);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.origin === new URL(baseUrl).origin || LOOPBACK.test(url.hostname);
}

/**
 * The protocol requires this check for every request. Programs send no Origin.
 * @throws ApiError insufficient_scope
 */
export function requireOrigin({ headers }: FastifyRequest, baseUrl: string): void {
  const { origin } = headers;
  if (origin === undefined || isAllowedOrigin(origin, baseUrl)) return;
  throw new ApiError('insufficient_scope', 'Pages of this origin may not call the MCP server.');
}

const ALLOWED_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'X-Request-Id',
];

/** The CORS configuration of the route for these pages, in addition to api/http/cors.ts. */
export function pagesOf(baseUrl: string) {
  return {
    origin: async (origin: string | undefined) => origin !== undefined && isAllowedOrigin(origin, baseUrl),
    methods: ['POST'],
    allowedHeaders: ALLOWED_HEADERS,
  };
}
