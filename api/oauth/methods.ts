// Who may call the authorization server from a browser, and what its paths answer to methods that they do not take.
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { PROTECTED_RESOURCE_PATHS } from './protected-resource.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const satisfies HTTPMethods[];

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
    if (!FOR_PAGES.has(request.routeOptions.url ?? '')) return;
    // The library says nothing of its own where this stands.
    void reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, WWW-Authenticate, X-Request-Id',
    });
  });
}

/** After the routes: a known path with another method is 405 and says which ones work; pages may ask before. */
export function refuseOtherMethods(app: FastifyInstance): void {
  for (const [url, taken] of PATHS) {
    const allow = taken.join(', ');
    app.route({
      method: METHODS.filter((method) => !taken.some((known) => known === method)),
      url,
      onRequest: async (_request, reply) => {
        void reply.header('allow', allow);
        throw new ApiError('method_not_allowed', `This path takes ${allow}.`);
      },
      handler: (_request, reply) => reply.send(),
    });
    if (!FOR_PAGES.has(url)) continue;
    const preflight = {
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
      'access-control-max-age': '7200',
    };
    app.options(url, (_request, reply) => reply.code(204).headers(preflight).send());
  }
}

const LOOK = ['GET', 'HEAD'] as const;
const PATHS: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ...PROTECTED_RESOURCE_PATHS.map((path) => [path, LOOK] as const),
  ['/.well-known/oauth-authorization-server', LOOK],
  ['/.well-known/openid-configuration', LOOK],
  ['/oauth/jwks', LOOK],
  ['/oauth/page.css', LOOK],
  ['/oauth/authorize', LOOK],
  ['/oauth/authorize/:uid', LOOK],
  ['/oauth/interaction/:uid', [...LOOK, 'POST']],
  ['/oauth/token', ['POST']],
  ['/oauth/register', ['POST']],
  ['/oauth/revoke', ['POST']],
];
