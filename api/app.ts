// The API as a Fastify instance that does not listen yet: what is true of every answer, then the routes.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { API_ERRORS, ApiError } from '../core/errors.ts';
import type { Services } from './context.ts';
import { problemOf, toApiError } from './errors.ts';
import { registerErrorDocs } from './error-docs.ts';
import { registerHealth } from './health.ts';
import { OPERATIONS } from './operations.ts';
import { registerRoutes } from './routes.ts';

export interface AppOptions {
  /** Time for a request to arrive whole, and for its headers. */
  requestTimeoutMs?: number;
  headersTimeoutMs?: number;
  /** How long a connection may stand still: longer than anybody may ask to be kept waiting. */
  idleTimeoutMs?: number;
}

const BODY_LIMIT_BYTES = 256 * 1024;
const RETRY_AFTER_SECONDS = 5;

export function buildApp(services: Services, options: AppOptions = {}): FastifyInstance {
  const { requestTimeoutMs = 30_000, headersTimeoutMs = 10_000, idleTimeoutMs = 120_000 } = options;
  const { baseUrl } = services.config;
  const closing = new AbortController();
  const app = fastify({
    loggerInstance: services.log,
    // One line of our own per request (see open) instead: Fastify's two hold the query string.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    // Else whoever asks for a large answer and does not read it keeps it in memory for ever.
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 1_000,
    // Proxies by their networks only: whoever counts hops believes a header that the caller made up.
    trustProxy: [...services.config.trustedProxies],
    // A row key of 1,024 bytes in a path, each byte as three characters.
    routerOptions: { maxParamLength: 3_200 },
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(2_000, headersTimeoutMs),
    },
    frameworkErrors: (error, request, reply) => {
      open(request, reply);
      void sendProblem(reply, toApiError(error), baseUrl);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    // Fastify hands a buffer over because of parseAs above.
    parseJson(body as Buffer, done);
  });
  app.addHook('onRequest', async (request, reply) => open(request, reply));
  app.addHook('preClose', async () => closing.abort());
  app.setErrorHandler((error, request, reply) => {
    const shown = toApiError(error);
    if (API_ERRORS[shown.code].status >= 500 && !hasBrokenOff(request)) {
      request.log.error({ err: error }, 'failed');
    }
    return sendProblem(reply, shown, baseUrl);
  });
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, new ApiError('not_found', 'There is no such path.'), baseUrl),
  );
  registerHealth(app, services);
  registerErrorDocs(app);
  registerRoutes(app, services, OPERATIONS, closing.signal);
  return app;
}

/** The caller's own request id when it is a sane one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Whether the caller left before the request was whole: no fault of ours, whatever the error looks like. */
function hasBrokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** What every request gets, whatever becomes of it: usual headers, and a line in the log when it is over. */
function open(request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({
    'x-request-id': request.id,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  const startedAt = performance.now();
  reply.raw.once('close', () => {
    const { method, url, caller } = request;
    const [path] = url.split('?');
    const ms = Math.round(performance.now() - startedAt);
    const words = reply.raw.writableEnded ? 'answered' : 'the caller left';
    request.log.info(
      { method, path, status: reply.statusCode, ms, credentialId: caller?.principal.credentialId },
      words,
    );
  });
}

function sendProblem(reply: FastifyReply, error: ApiError, baseUrl: string): FastifyReply {
  const problem = problemOf(error, reply.request.id, baseUrl);
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer');
  const retryAfterSeconds =
    error.retryAfterSeconds ?? (problem.status === 503 ? RETRY_AFTER_SECONDS : undefined);
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', Math.ceil(retryAfterSeconds));
  return reply
    .code(problem.status)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem));
}

function parseJson(body: Buffer, done: (error: Error | null, value?: unknown) => void): void {
  if (body.length === 0) return done(null, undefined);
  try {
    done(null, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    done(new ApiError('malformed_json', 'Send one JSON object, encoded as UTF-8.'));
  }
}
