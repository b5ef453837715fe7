// Who may call the authorization server from pages of other origins.
import type { FastifyInstance } from 'fastify';
import { PROTECTED_RESOURCE_PATHS } from './protected-resource.ts';

/** Clients that run in a page need these. They hold to no cookie, and what they answer is not for one page only. */
const FOR_PAGES: ReadonlySet<string> = new Set([
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  ...PROTECTED_RESOURCE_PATHS,
  '/oauth/token',
  '/oauth/register',
  '/oauth/revoke',
  '/oauth/jwks',
]);

/** Before the routes: errors are for pages as well. */
export function openToPages(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { url = '', config } = request.routeOptions;
    if (!FOR_PAGES.has(url)) return;
    // The library says nothing of its own where this stands.
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
