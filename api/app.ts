// The API as a Fastify instance that does not listen yet: what is true of every answer, then the routes.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, fastify, LogController } from 'fastify';
import { API_ERRORS, ApiError } from '../core/errors.ts';
import { drainConnections, endAnswerAfter } from './http/connections.ts';
import { createMailer, type SendMail } from './auth/mail/mailer.ts';
import { registerAuth } from './auth/routes.ts';
import { answerClientError, answerConnect } from './http/client-errors.ts';
import { createCapacity } from './capacity/capacity.ts';
import type { Services } from './contract/context.ts';
import { createCallCounter } from '../db/usage/count-calls.ts';
import { allowBrowsers } from './http/cors.ts';
import { BUILT_DASHBOARD, registerDashboard } from './pages/dashboard.ts';
import { registerDocsPage } from './pages/docs-page.ts';
import { toApiError } from './contract/errors.ts';
import { registerErrorDocs } from './pages/error-docs.ts';
import { registerRoot } from './pages/root.ts';
import { registerHealth } from './pages/health.ts';
import { logFailure, sendProblem } from './http/problems.ts';
import { openRequest, usualHeaders } from './http/open-request.ts';
import { registerOpenApi } from './openapi/route.ts';
import { registerMcp } from './mcp/routes.ts';
import { registerOAuth } from './oauth/routes.ts';
import type { Operation } from './contract/operation.ts';
import { OPERATIONS } from './operations.ts';
import { createRateLimits, type RateLimits } from './access/rate-limits.ts';
import { BODY_LIMIT_BYTES, readJsonBody } from './http/read-body.ts';
import { createRequireHost } from './access/require-host.ts';
import { registerRoutes } from './http/routes.ts';
import { createProxyWarning } from './access/untrusted-proxy.ts';
import { watchPaths } from './http/wrong-methods.ts';

export interface AppOptions {
  /** What the API can do: everything unless given. */
  operations?: readonly Operation[];
  rateLimits?: RateLimits;
  /** Time for a request to arrive whole, and for its headers. */
  requestTimeoutMs?: number;
  headersTimeoutMs?: number;
  /** How long a connection may stand still: longer than anybody may ask to be kept waiting. */
  idleTimeoutMs?: number;
  /** How long a request may take from its headers to the last byte of its answer, files apart. */
  answerTimeoutMs?: number;
  /** More are closed as they come: each may cost a body's memory. */
  maxConnections?: number;
  /** Aborts some time before the app closes: it is not ready any more, and each answer closes its connection. */
  draining?: AbortSignal;
  /** Where the built dashboard lies, if it is there. */
  dashboardFolder?: string;
  /** How mails go out: as the settings say unless given. */
  sendMail?: SendMail;
}

export function buildApp(services: Services, options: AppOptions = {}): FastifyInstance {
  const { operations = OPERATIONS, rateLimits = createRateLimits() } = options;
  const { answerTimeoutMs = 300_000, maxConnections = 10_000, dashboardFolder = BUILT_DASHBOARD } = options;
  const { baseUrl } = services.config;
  const { draining = new AbortController().signal } = options;
  const closing = new AbortController();
  const app = createServer(services, options);
  app.server.maxConnections = maxConnections;
  app.server.on('connect', (_request, socket: Socket) => answerConnect(socket, baseUrl, services.log));
  const headers = usualHeaders(baseUrl);
  app.decorateRequest('caller', null);
  app.decorateRequest('address', '');
  app.decorateRequest('remarks', null);
  app.removeAllContentTypeParsers();
  // Fastify hands a buffer over because of parseAs.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) =>
    readJsonBody(request, body as Buffer, done),
  );
  const requireHost = createRequireHost(services.config);
  const warnOfProxy = createProxyWarning(services);
  app.addHook('onRequest', async (request, reply) => {
    openRequest(request, reply, headers);
    endAnswerAfter(reply, answerTimeoutMs);
    requireHost(request);
    warnOfProxy(request);
    // Before the body is read, whatever it is.
    return request.is404 ? answerNoPath(reply, baseUrl) : undefined;
  });
  app.addHook('preClose', async () => closing.abort());
  drainConnections(app, draining);
  app.setErrorHandler((error, request, reply) => {
    const shown = toApiError(error);
    logFailure(request, error, API_ERRORS[shown.code].status);
    return sendProblem(reply, shown, baseUrl, services.config.upgradeUrl);
  });
  app.setNotFoundHandler((_request, reply) => answerNoPath(reply, baseUrl));
  const refuseOtherMethods = watchPaths(app);
  registerHealth(app, services, draining);
  registerRoot(app, baseUrl, dashboardFolder);
  registerDashboard(app, services.config, dashboardFolder);
  registerErrorDocs(app);
  registerDocsPage(app, baseUrl);
  const appServices = { ...services, capacity: createCapacity(), countCall: createCallCounter(services.db) };
  const context = { services: appServices, rateLimits, closing: closing.signal };
  registerAuth(app, context, options.sendMail ?? createMailer(services.config));
  void app.register(async (oauth) => registerOAuth(oauth, context));
  void app.register(async (v1) => {
    await allowBrowsers(v1);
    registerOpenApi(v1, baseUrl);
    registerRoutes(v1, context, operations);
    await v1.register(async (mcp) => registerMcp(mcp, context));
  });
  refuseOtherMethods(baseUrl);
  return app;
}

function createServer(services: Services, options: AppOptions): FastifyInstance {
  const { requestTimeoutMs = 30_000, headersTimeoutMs = 10_000, idleTimeoutMs = 120_000 } = options;
  const { baseUrl, trustedProxies } = services.config;
  return fastify({
    loggerInstance: services.log,
    // One line of our own per request (api/http/open-request.ts) instead: Fastify's two hold the query string.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    // Else whoever asks for a large answer and does not read it keeps it in memory for ever.
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: 72_000,
    // What arrives while the app closes is answered as ever: on its connection nothing follows (api/http/connections.ts).
    return503OnClosing: false,
    maxRequestsPerSocket: 1_000,
    // Proxies by their networks only: whoever counts hops believes a header that the caller made up.
    trustProxy: [...trustedProxies],
    // A row key of 1,024 bytes in a path, each byte as three characters.
    routerOptions: { maxParamLength: 3_200 },
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(2_000, headersTimeoutMs),
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, baseUrl, services.log),
    frameworkErrors: (error, request, reply) => {
      openRequest(request, reply, usualHeaders(baseUrl));
      void sendProblem(reply, toApiError(error), baseUrl);
    },
  });
}

function answerNoPath(reply: FastifyReply, baseUrl: string): FastifyReply {
  const words = `There is no such path. ${baseUrl}/docs lists those that there are.`;
  return sendProblem(reply, new ApiError('not_found', words), baseUrl);
}

/** The caller's own request id when it is a sane one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
