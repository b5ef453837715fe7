// Builds the API as a Fastify instance: what applies to every response, then the routes. It does not listen yet.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, fastify, LogController } from 'fastify';
import { API_ERRORS, ApiError } from '../core/errors.ts';
import { drainConnections, endAnswerAfter } from './http/connections.ts';
import { createFeedListeners } from './capacity/feed-listeners.ts';
import { createMailer, type SendMail } from './auth/mail/mailer.ts';
import { registerAuth } from './auth/routes.ts';
import { answerClientError, answerConnect } from './http/client-errors.ts';
import { type Capacity, createCapacity } from './capacity/capacity.ts';
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
import { registerUnsubscribePage } from './webhooks/unsubscribe-page.ts';
import { createProxyWarning } from './access/untrusted-proxy.ts';
import { traceRequests } from './http/trace-request.ts';
import { watchPaths } from './http/wrong-methods.ts';

export interface AppOptions {
  /** Default: all. */
  operations?: readonly Operation[];
  rateLimits?: RateLimits;
  capacity?: Capacity;
  /** For the whole request to arrive; `headersTimeoutMs` for its headers. */
  requestTimeoutMs?: number;
  headersTimeoutMs?: number;
  /** Closes a connection without traffic. Longer than any caller may ask to wait. */
  idleTimeoutMs?: number;
  /** For an operation to find its answer. */
  operationTimeoutMs?: number;
  /** From a request's headers to the last byte of its response. Files have longer. */
  answerTimeoutMs?: number;
  fileTimeoutMs?: number;
  /** Further connections are closed at once: each may cost the memory of a body. */
  maxConnections?: number;
  /** Aborts some time before the app closes: `/readyz` then fails, and each response closes its connection. */
  draining?: AbortSignal;
  /** The folder of the built dashboard, which may be missing. */
  dashboardFolder?: string;
  /** How often streams of events say that they are alive. */
  feedBeatMs?: number;
  /** A span for each request. */
  isTraced?: boolean;
  /** Default: by SMTP or to a folder, as configured. */
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
  // A Buffer because of parseAs.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) =>
    readJsonBody(request, body as Buffer, done),
  );
  if (options.isTraced === true) traceRequests(app);
  const requireHost = createRequireHost(services.config);
  const warnOfProxy = createProxyWarning(services);
  app.addHook('onRequest', async (request, reply) => {
    openRequest(request, reply, headers);
    endAnswerAfter(reply, answerTimeoutMs);
    requireHost(request);
    warnOfProxy(request);
    // Before the body is read.
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
  const capacity = options.capacity ?? createCapacity(services.config);
  const feeds = createFeedListeners(services.db, services.log, capacity, options.feedBeatMs);
  app.addHook('onClose', feeds.close);
  const appServices = { ...services, capacity, countCall: createCallCounter(services.db), feeds };
  const context = { services: appServices, rateLimits, closing: closing.signal, timeouts: options };
  registerAuth(app, context, options.sendMail ?? createMailer(services.config));
  void app.register(async (oauth) => registerOAuth(oauth, context));
  void app.register(async (reader) => registerUnsubscribePage(reader, context));
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
    // Replaced by one line per request (api/http/open-request.ts): Fastify's two lines contain the query string.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    // Otherwise a client that requests a large response and never reads it would hold it in memory.
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: 72_000,
    // Requests that arrive while the app closes are answered as usual, and their connection then ends
    // (api/http/connections.ts).
    return503OnClosing: false,
    maxRequestsPerSocket: 1_000,
    // By network, never by number of hops: callers can forge headers.
    trustProxy: [...trustedProxies],
    // For a row key of 1,024 bytes in a path, percent-encoded.
    routerOptions: { maxParamLength: 3_200 },
    http: {
      headersTimeout: headersTimeoutMs,
      // Node's own refusal has no problem document (api/access/require-host.ts).
      requireHostHeader: false,
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
  const words = `There is no such path. ${baseUrl}/docs lists all paths.`;
  return sendProblem(reply, new ApiError('not_found', words), baseUrl);
}

/** The caller's request id if it is well-formed, otherwise a new one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
