// CORS of the authorization server.
import type { FastifyInstance } from 'fastify';
import { PROTECTED_RESOURCE_PATHS } from './protected-resource.ts';

/** Clients that run in a page need these. They use no cookie, and their responses are the same for every page. */
const FOR_PAGES: ReadonlySet<string> = new Set([
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  ...PROTECTED_RESOURCE_PATHS,
  '/oauth/token',
  '/oauth/register',
  '/oauth/revoke',
  '/oauth/jwks',
]);

/** Register it before the routes, so that it applies to errors too. */
export function openToPages(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { url = '', config } = request.routeOptions;
    if (!FOR_PAGES.has(url)) return;
    // Set here, so that the library adds none of its own.
    void reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, WWW-Authenticate, X-Request-Id',
    });
    if (request.method !== 'OPTIONS') return;
    void reply.headers({
      'access-control-allow-methods': config.allow,
      'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
      'access-control-max-age': '7200',
    });
  });
}
