// The authorization server for MCP clients: OAuth 2.1 with oidc-provider, for public clients, with PKCE, opaque tokens, and
// one resource, the MCP server.
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { AuditSource } from '../../core/audit.ts';
import { callerAddress } from '../../core/network/caller-address.ts';
import { nameAtPort } from '../auth/cookie.ts';
import type { Services } from '../contract/context.ts';
import type { RateLimits } from '../access/rate-limits.ts';
import { createDocumentFetch, keepMetadata } from './client-metadata.ts';
import { cookieKeys, signingKeys } from './keys.ts';
import { describeDestination, faultPage, isOwnMachine, pageHeaders, renderFault } from './pages.ts';
import { MCP_SCOPE_NAMES } from './scopes.ts';
import { oauthStorage } from './storage.ts';
import { API_ERRORS, ApiError } from '../../core/errors.ts';
import { problemOf } from '../contract/errors.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Long, so that people need not reconnect often. Each use extends it. */
const REFRESH_SECONDS = 60 * DAY_SECONDS;

export const MCP_PATH = '/v1/mcp';
export const OAUTH_PATH = '/oauth';

/** The resource that tokens are issued for (RFC 8707). */
export const mcpResource = (baseUrl: string): string => `${baseUrl}${MCP_PATH}`;

export function createProvider(services: Services, rateLimits: RateLimits): Provider {
  const { config, log } = services;
  const provider = new Provider(config.baseUrl, configuration(services, rateLimits));
  // The public address comes from the headers that api/oauth/routes.ts sets.
  provider.proxy = true;
  provider.use(limitFailures([ROUTES.token, ROUTES.revocation], rateLimits, config.baseUrl));
  provider.use(holdRedirects(ROUTES.authorization));
  provider.use(tellWhatIsServed);
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'the authorization server failed'));
  return provider;
}

function configuration(services: Services, rateLimits: RateLimits): Configuration {
  const { db, config } = services;
  const keys = config.keyEncryptionKeys;
  const resource = mcpResource(config.baseUrl);
  return {
    adapter: (kind: string) =>
      oauthStorage(
        db,
        kind,
        (look) => lookUpFor(Provider.ctx, rateLimits, look),
        () => originOf(Provider.ctx),
      ),
    cookies: { keys: cookieKeys(keys), names: cookieNames(config.baseUrl) },
    jwks: { keys: signingKeys(keys) },
    routes: ROUTES,
    scopes: [...MCP_SCOPE_NAMES],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none'],
    clientDefaults: {
      // Otherwise a loopback redirect with a port of the client's choice (RFC 8252, 7.3) is refused.
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // The algorithm of the only signing key.
      id_token_signed_response_alg: 'ES256',
    },
    extraClientMetadata: {
      // The validator gets the whole metadata. It is called once for each property named here.
      properties: ['client_name'],
      validator: (_ctx, _name, _value, metadata) => keepMetadata(metadata),
    },
    features: features(resource, rateLimits),
    ttl: {
      AccessToken: HOUR_SECONDS,
      AuthorizationCode: 60,
      Interaction: HOUR_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      // A person who connects a client proves who they are each time.
      Session: 60,
      Grant: 365 * DAY_SECONDS,
    },
    // Tokens outlive the browser session that created them.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    interactions: { url: (_ctx, { uid }) => `${OAUTH_PATH}/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    renderError: (ctx, out) => renderFault(ctx, out.error_description ?? out.error),
    clientBasedCORS: () => true,
    fetch: createDocumentFetch(services),
  };
}

const cookieNames = (baseUrl: string): { session: string; interaction: string; resume: string } => ({
  session: nameAtPort(baseUrl, 'recordwatch_oauth'),
  interaction: nameAtPort(baseUrl, 'recordwatch_oauth_interaction'),
  resume: nameAtPort(baseUrl, 'recordwatch_oauth_resume'),
});

const ROUTES = {
  authorization: `${OAUTH_PATH}/authorize`,
  token: `${OAUTH_PATH}/token`,
  registration: `${OAUTH_PATH}/register`,
  revocation: `${OAUTH_PATH}/revoke`,
  jwks: `${OAUTH_PATH}/jwks`,
  end_session: `${OAUTH_PATH}/end`,
};

function features(resource: string, rateLimits: RateLimits): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      // Fetching a client's document makes us send a request for a stranger. So it is limited on every route, also those
      // without a limit of their own.
      allowFetch: async ({ ip }) => !(await rateLimits.countPublic(callerAddress(ip))).isExceeded,
    },
    resourceIndicators: {
      enabled: true,
      // Clients of versions before 2025-06-18 name none.
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx: KoaContextWithOIDC, indicator: string) => {
        if (indicator !== resource) throw new errors.InvalidTarget();
        return { scope: MCP_SCOPE_NAMES.join(' '), audience: resource, accessTokenFormat: 'opaque' as const };
      },
    },
  };
}

const SERVED = { response_modes_supported: ['query'], scopes_supported: MCP_SCOPE_NAMES };

async function tellWhatIsServed(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const { body } = ctx;
  if (typeof body !== 'object' || body === null || !('response_modes_supported' in body)) return;
  Object.assign(body, SERVED);
}

/** Rewrites redirects of one path only: after the person's decision, the redirect comes from another path. */
function holdRedirects(path: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const location = URL.parse(ctx.response.get('location'));
    // The library redirects to our own page without a host.
    if (ctx.path !== path || location === null || isOwnMachine(location)) return;
    const { searchParams } = location;
    const words = searchParams.get('error_description') ?? searchParams.get('error') ?? 'It was refused';
    ctx.remove('location');
    ctx.set(pageHeaders);
    ctx.status = 400;
    ctx.body = faultPage(words, { url: location.href, words: `Go back to ${describeDestination(location)}` });
  };
}

/** Where a request to the library comes from, for the audit log. */
const originOf = (ctx: KoaContextWithOIDC | undefined): AuditSource => ({
  door: 'oauth',
  ip: ctx?.ip ?? null,
  userAgent: ctx?.get('user-agent') ?? null,
  requestId: ctx?.response.get('x-request-id') ?? null,
});

/** Looks up a token, code or client. An address with many failures gets a few look-ups at once. */
async function lookUpFor<T>(
  ctx: KoaContextWithOIDC | undefined,
  rateLimits: RateLimits,
  look: () => Promise<T>,
): Promise<T> {
  // Outside of a request to the library.
  if (ctx === undefined) return look();
  const end = await rateLimits.beginLookUp(callerAddress(ctx.ip));
  try {
    return await look();
  } finally {
    end();
  }
}

/** Counts failures on these paths of the library. */
function limitFailures(paths: readonly string[], rateLimits: RateLimits, baseUrl: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    if (!paths.includes(ctx.path) || ctx.status < 400 || ctx.status >= 500) return;
    try {
      await rateLimits.countFailure(callerAddress(ctx.ip));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ctx.status = API_ERRORS[error.code].status;
      ctx.set('retry-after', String(Math.ceil(error.retryAfterSeconds ?? 1)));
      ctx.body = problemOf(error, ctx.response.get('x-request-id'), baseUrl);
      ctx.type = 'application/problem+json; charset=utf-8';
    }
  };
}
