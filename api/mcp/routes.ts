// The MCP endpoint: one path, POST only, all revisions of the protocol.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_ERRORS } from '../../core/errors.ts';
import { endAnswerAfter } from '../http/connections.ts';
import { holdUntilSent } from '../http/hold-until-sent.ts';
import { type Authenticate, admitRequest, stillWorks } from '../access/admission.ts';
import { originOfRequest } from '../contract/audit.ts';
import { toApiError } from '../contract/errors.ts';
import { logFailure } from '../http/problems.ts';
import { requireAllowance } from '../access/rate-limits.ts';
import type { AppContext } from '../http/routes.ts';
import { MCP_PATH, mcpResource } from '../oauth/provider.ts';
import { createClientAuthentication, takeTokenOfUrl } from './access/credentials.ts';
import { sourceOf } from './methods/call-tool.ts';
import { requireScopeOfClient } from './access/challenge.ts';
import { routeOf } from './protocol/select-protocol.ts';
import { type Cancellations, createCancellations } from './protocol/cancellations.ts';
import { progressStreamOf } from './protocol/progress-stream.ts';
import type { McpContext } from './methods/mcp-context.ts';
import { declaresTasks } from './methods/tasks.ts';
import { createProtocol2026, type Protocol2026 } from './protocol/protocol-2026.ts';
import { createProtocol2025, type Protocol2025 } from './protocol/protocol-2025.ts';
import { pagesOf, requireOrigin } from './access/origins.ts';
import { sendRpcError } from './methods/rpc-error.ts';
import { fillPlaceholders } from './answers/json-placeholder.ts';

/** Proxies would end longer streams too, and clients reconnect. */
const STREAM_TIMEOUT_MS = 3_600_000;

/** The minimum for every tool. */
const LOWEST = { scope: 'download' } as const;

/** @param recheckMs interval of the credential checks of open streams */
export async function registerMcp(
  app: FastifyInstance,
  context: AppContext,
  recheckMs?: number,
): Promise<void> {
  const { services } = context;
  const { baseUrl } = services.config;
  const url = mcpResource(baseUrl);
  const authenticate = createClientAuthentication(url);
  const admission = { db: services.db, clock: services.clock, rateLimits: context.rateLimits, authenticate };
  const older = await createProtocol2025();
  const newer = await createProtocol2026(services, recheckMs);
  const cancellations = createCancellations(services, context.closing);
  app.addHook('preClose', newer.close);
  app.addHook('onClose', cancellations.close);
  app.setErrorHandler((error, request, reply) => {
    const shown = toApiError(error);
    logFailure(request, error, API_ERRORS[shown.code].status);
    return sendRpcError(reply, shown, baseUrl);
  });
  app.route({
    method: 'POST',
    url: MCP_PATH,
    config: { cors: pagesOf(baseUrl) },
    onRequest: async (request, reply) => {
      requireOrigin(request, baseUrl);
      takeTokenOfUrl(request);
      // Before the body is read, so that bodies of strangers are not parsed.
      if (request.headers.authorization === undefined)
        await admitRequest(admission, LOWEST, request, reply, undefined);
    },
    // After the body is parsed, so that one statement looks up the credential and the source that a call names.
    preHandler: async (request, reply) => {
      await admitRequest(admission, LOWEST, request, reply, referenceOf(request));
      await countBatch(context, request);
      requireScopeOfClient(request);
    },
    handler: (request, reply) =>
      answer({ context, authenticate, older, newer, cancellations, url }, request, reply),
  });
}

interface Endpoint {
  context: AppContext;
  authenticate: Authenticate;
  older: Protocol2025;
  newer: Protocol2026;
  cancellations: Cancellations;
  url: string;
}

async function answer(
  { context, authenticate, older, newer, cancellations, url }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await cancellations.obey(request);
  const progress = progressStreamOf(reply);
  const route = routeOf(request);
  const ctx = {
    ...contextOf(context, authenticate, request),
    hasTasks: route.kind !== 'legacy' && declaresTasks(request.body),
    work: cancellations.work,
    ...cancellations.signalsOf(request, reply),
    ...(progress === undefined ? {} : { reportProgress: progress.report }),
  };
  const { toolCalls, texts } = ctx;
  request.remarks = { toolCalls };
  const isOlder = route.kind === 'legacy';
  const single = await (isOlder ? older.answer(ctx, request) : newer.answer(ctx, request, route));
  if (single !== undefined) {
    const text = fillPlaceholders(JSON.stringify(single.message), texts);
    return progress?.isOpen() === true ? progress.end(text) : sendSingle(reply, single.status, text);
  }
  const web = webRequest(request, url);
  const response = isOlder
    ? await older.serve(ctx, web, request.body)
    : await newer.serve(ctx, web, request.body, {
        stillWorks: ctx.stillWorks,
        holdUntilSent: (release) => holdUntilSent(reply, release),
      });
  if (progress?.isOpen() === true) return progress.end(fillPlaceholders(await response.text(), texts));
  return sendResponse(reply, response, texts);
}

const referenceOf = ({ body }: FastifyRequest): string => sourceOf(body) ?? 'self';

function contextOf(
  { services }: AppContext,
  authenticate: Authenticate,
  request: FastifyRequest,
): Omit<McpContext, 'signal' | 'hasTasks' | 'work'> {
  const { caller, log, address } = request;
  if (caller === null) throw new Error('The MCP server was reached without authentication');
  return {
    ...services,
    log,
    address,
    origin: originOfRequest(request, 'mcp'),
    waitMs: 0,
    ...caller,
    reference: referenceOf(request),
    stillWorks: () => stillWorks(services.db, authenticate, request),
    toolCalls: [],
    texts: [],
  };
}

const sendSingle = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).header('content-type', 'application/json').send(text);

/** A complete response costs less than a stream of one piece. */
async function sendResponse(
  reply: FastifyReply,
  response: Response,
  texts: readonly string[],
): Promise<FastifyReply> {
  if (response.headers.get('content-type') === 'text/event-stream') {
    endAnswerAfter(reply, STREAM_TIMEOUT_MS);
    return reply.send(response);
  }
  const text = fillPlaceholders(await response.text(), texts);
  for (const [name, value] of response.headers) void reply.header(name, value);
  return reply.code(response.status).send(text);
}

/**
 * Each message of a batch counts as a request.
 * @throws ApiError rate_limited
 */
async function countBatch({ rateLimits }: AppContext, { body, caller }: FastifyRequest): Promise<void> {
  if (!Array.isArray(body) || caller === null) return;
  for (let others = body.length - 1; others > 0; others -= 1) {
    requireAllowance(await rateLimits.countCaller(caller.principal));
  }
}

/** The request as the libraries see it: the protocol's headers, without the credential and the query string. */
function webRequest({ headers }: FastifyRequest, url: string): Request {
  const shown = Object.entries(headers).filter(
    ([name, value]) => typeof value === 'string' && /^(accept|content-type|mcp-.*)$/.test(name),
  );
  // Only strings: the others were left out.
  return new Request(url, { method: 'POST', headers: shown as [string, string][] });
}
