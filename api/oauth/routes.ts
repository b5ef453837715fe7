// The routes of the authorization server: the library's endpoints, the consent page, and the metadata of both.
import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { callerAddress } from '../../core/network/caller-address.ts';
import { requireAllowance } from '../access/rate-limits.ts';
import type { AppContext } from '../http/routes.ts';
import { authorizeUrl } from './scopes.ts';
import { registerConsent } from './consent.ts';
import { openToPages } from './cors.ts';
import { registerProtectedResource } from './protected-resource.ts';
import { createProvider, OAUTH_PATH } from './provider.ts';

const AUTHORIZE = `${OAUTH_PATH}/authorize`;

/** Routes with a cost beyond one look-up: verifying keys, and storing rows. */
const LIMITED = new RegExp(`^${OAUTH_PATH}/(register|interaction|authorize)(/|$)`);

/** The library's endpoints. */
const ROUTES: readonly (readonly [method: 'GET' | 'POST', path: string])[] = [
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', AUTHORIZE],
  ['GET', `${AUTHORIZE}/:uid`],
  ['POST', `${OAUTH_PATH}/token`],
  ['POST', `${OAUTH_PATH}/register`],
  ['POST', `${OAUTH_PATH}/revoke`],
  ['GET', `${OAUTH_PATH}/jwks`],
];

export async function registerOAuth(
  app: FastifyInstance,
  { services, rateLimits }: AppContext,
): Promise<void> {
  const { db, clock, config } = services;
  const { baseUrl } = config;
  const provider = createProvider(services, rateLimits);
  openToPages(app);
  registerProtectedResource(app, baseUrl);
  app.get(`${OAUTH_PATH}/page.css`, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/css; charset=utf-8')
      .send(createReadStream(new URL('page.css', import.meta.url))),
  );
  app.addHook('preParsing', async (request) => {
    const address = callerAddress(request.ip);
    // Not for tokens: a hosted client refreshes those of all its users from its own addresses.
    if (LIMITED.test(request.routeOptions.url ?? '')) requireAllowance(await rateLimits.countPublic(address));
    speakAs(request, baseUrl);
  });
  await app.register(async (people) =>
    registerConsent(people, { admission: { db, clock, rateLimits }, provider, baseUrl }),
  );
  await app.register(async (clients) => passThrough(clients, provider));
}

/** The library builds URLs from these headers. They are overwritten, because callers control them. */
function speakAs({ raw, ip }: FastifyRequest, baseUrl: string): void {
  const { host, protocol } = new URL(baseUrl);
  for (const name of Object.keys(raw.headers)) if (name.startsWith('x-forwarded-')) delete raw.headers[name];
  Object.assign(raw.headers, {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': ip,
  });
}

function passThrough(app: FastifyInstance, provider: Provider): void {
  const answer = provider.callback();
  app.removeAllContentTypeParsers();
  // The library reads and limits bodies itself.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = request.routeOptions.url ?? '';
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    request.raw.url = libraryUrl(request, path);
    reply.hijack();
    await answer(request.raw, reply.raw);
  };
  for (const [method, url] of ROUTES) app.route({ method, url, handler });
}

/** The path of the matched route, because the library does not match other spellings. */
function libraryUrl({ params, url }: FastifyRequest, route: string): string {
  // Fastify's parameters are strings.
  const { uid = '' } = params as Readonly<Record<string, string>>;
  const path = route.replace(':uid', encodeURIComponent(uid));
  const start = url.indexOf('?');
  const query = start === -1 ? '' : url.slice(start + 1);
  if (path === AUTHORIZE) return authorizeUrl(path, query);
  return query === '' ? path : `${path}?${query}`;
}
