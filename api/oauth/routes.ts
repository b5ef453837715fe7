// The doors of the authorization server: what its library answers, the page for people, and what tells clients of both.
import { createReadStream } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { callerAddress } from '../../core/network/caller-address.ts';
import { requireAllowance } from '../rate-limit-headers.ts';
import type { Door } from '../routes.ts';
import { registerConsent } from './consent.ts';
import { registerProtectedResource } from './protected-resource.ts';
import { createProvider, OAUTH_PATH } from './provider.ts';
import { DEFAULT_SCOPE } from './scopes.ts';

/** What costs more than a look: a page that tries keys, a row that stays. */
const LIMITED = /^\/oauth\/(register|interaction|authorize)\b/;

/** What the library answers. */
const ROUTES: readonly (readonly [method: 'GET' | 'POST' | 'OPTIONS', path: string])[] = [
  ['GET', '/.well-known/oauth-authorization-server'],
  ['OPTIONS', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/openid-configuration'],
  ['OPTIONS', '/.well-known/openid-configuration'],
  ['GET', `${OAUTH_PATH}/authorize`],
  ['GET', `${OAUTH_PATH}/authorize/:uid`],
  ['POST', `${OAUTH_PATH}/token`],
  ['OPTIONS', `${OAUTH_PATH}/token`],
  ['POST', `${OAUTH_PATH}/register`],
  ['POST', `${OAUTH_PATH}/revoke`],
  ['OPTIONS', `${OAUTH_PATH}/revoke`],
  ['GET', `${OAUTH_PATH}/jwks`],
];

export async function registerOAuth(app: FastifyInstance, { services, rateLimits }: Door): Promise<void> {
  const { db, clock, config } = services;
  const { baseUrl } = config;
  const provider = createProvider(services);
  registerProtectedResource(app, baseUrl);
  app.get(`${OAUTH_PATH}/page.css`, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/css; charset=utf-8')
      .send(createReadStream(new URL('page.css', import.meta.url))),
  );
  app.addHook('onRequest', async (request) => {
    // Not tokens: all users of a hosted client refresh theirs from its addresses.
    if (LIMITED.test(request.url)) requireAllowance(await rateLimits.countPublic(callerAddress(request.ip)));
    speakAs(request, baseUrl);
  });
  await app.register(async (people) =>
    registerConsent(people, { keeper: { db, clock, rateLimits }, provider, baseUrl }),
  );
  await app.register(async (clients) => passThrough(clients, provider));
}

/** The library makes URLs from these headers. What the caller sent there says nothing about where we are. */
function speakAs({ raw }: FastifyRequest, baseUrl: string): void {
  const { host, protocol } = new URL(baseUrl);
  for (const name of Object.keys(raw.headers)) if (name.startsWith('x-forwarded-')) delete raw.headers[name];
  Object.assign(raw.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) });
}

function passThrough(app: FastifyInstance, provider: Provider): void {
  const answer = provider.callback();
  app.removeAllContentTypeParsers();
  // The library reads bodies itself, and bounds them.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    request.raw.url = withScope(request.raw.url ?? '/');
    reply.hijack();
    await answer(request.raw, reply.raw);
  };
  for (const [method, url] of ROUTES) app.route({ method, url, handler });
}

/** Clients that ask for nothing get what most of them need, not a refusal. */
function withScope(url: string): string {
  const [path, query = ''] = url.split('?', 2);
  if (path !== `${OAUTH_PATH}/authorize` || new URLSearchParams(query).has('scope')) return url;
  return `${path}?${query}&scope=${encodeURIComponent(DEFAULT_SCOPE)}`;
}
