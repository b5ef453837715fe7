// The REST door: one route per operation, derived from the table.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { callerAddress } from '../core/network/caller-address.ts';
import { ApiError } from '../core/errors.ts';
import type { Caller } from '../db/callers.ts';
import { authenticate, requireAccess } from './authenticate.ts';
import type { PublicContext, Services } from './context.ts';
import { type FileAnswer, isFileAnswer } from './file-answer.ts';
import { encodeJson } from './json.ts';
import type { Operation } from './operation.ts';
import { preferredWaitSeconds } from './prefer.ts';
import { compileInput } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null until the credential was checked, and where none is needed. */
    caller: Caller | null;
  }
}

/** Longer than any statement may run; a caller who asked to wait has asked for up to a minute. */
const HANDLER_TIMEOUT_MS = 30_000;
const WAITING_HANDLER_TIMEOUT_MS = 90_000;

/** @param closing aborts when the process is about to end */
export function registerRoutes(
  app: FastifyInstance,
  services: Services,
  operations: readonly Operation[],
  closing: AbortSignal,
): void {
  app.decorateRequest('caller', null);
  for (const operation of operations) registerOperation(app, services, operation, closing);
  registerWrongMethods(app, operations);
}

interface Route {
  Querystring: Readonly<Record<string, unknown>>;
  Params: Readonly<Record<string, string>>;
}

function registerOperation(
  app: FastifyInstance,
  services: Services,
  operation: Operation,
  closing: AbortSignal,
): void {
  const readInput = compileInput(operation);
  app.route<Route>({
    method: operation.http.method,
    url: operation.http.path,
    handlerTimeout: operation.mayWait === true ? WAITING_HANDLER_TIMEOUT_MS : HANDLER_TIMEOUT_MS,
    // Before the body is read: a stranger's body is not worth parsing.
    onRequest: async (request) => {
      if (operation.scope === 'public') return;
      const { headers, params } = request;
      const caller = await authenticate(services.db, headers.authorization, params['id']);
      requireAccess(caller.principal, operation);
      request.caller = caller;
    },
    handler: async (request, reply) => {
      const { params, query, body } = request;
      const input = readInput({ params, query, body });
      const call = callOf(services, operation, request, reply, closing);
      if (call.waitMs > 0) void reply.header('preference-applied', `wait=${call.waitMs / 1_000}`);
      return send(reply, operation, await run(operation, call, request.caller, input));
    },
  });
}

function callOf(
  services: Services,
  { mayWait = false }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
): PublicContext {
  const waitSeconds = mayWait ? preferredWaitSeconds(request.headers['prefer']) : undefined;
  const signal = waitSeconds === undefined ? closing : AbortSignal.any([closing, callerLeft(reply)]);
  const address = callerAddress(request.ip);
  return { ...services, log: request.log, address, waitMs: (waitSeconds ?? 0) * 1_000, signal };
}

function run(
  operation: Operation,
  call: PublicContext,
  caller: Caller | null,
  input: unknown,
): Promise<unknown> {
  if (operation.scope === 'public') return operation.run(call, input);
  if (caller === null) throw new Error('A route was reached without authentication');
  return operation.run({ ...call, ...caller }, input);
}

/** Aborts when the connection closes before the answer is out. */
function callerLeft(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

function send(reply: FastifyReply, { http }: Operation, output: unknown): FastifyReply {
  const status = typeof http.status === 'function' ? http.status(output) : (http.status ?? 200);
  void reply.code(status);
  if (status === 204) return reply.send();
  if (isFileAnswer(output)) return sendFile(reply, output);
  return reply.type('application/json; charset=utf-8').send(encodeJson(output));
}

function sendFile(reply: FastifyReply, file: FileAnswer): FastifyReply {
  return reply
    .headers({
      'content-disposition': `attachment; filename="${file.fileName}"`,
      etag: `"${file.etag}"`,
    })
    .type(file.contentType)
    .send(file.open());
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const satisfies HTTPMethods[];

/** A known path with another method is 405 and says which ones work. */
function registerWrongMethods(app: FastifyInstance, operations: readonly Operation[]): void {
  const byPath = Map.groupBy(operations, ({ http }) => http.path);
  for (const [url, those] of byPath) {
    const methods = those.map(({ http }) => http.method);
    const allowed = METHODS.filter((method) =>
      methods.some((known) => known === (method === 'HEAD' ? 'GET' : method)),
    );
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url,
      onRequest: async (_request, reply) => {
        void reply.header('allow', allowed.join(', '));
        throw new ApiError('method_not_allowed', `This path takes ${allowed.join(', ')}.`);
      },
      handler: (_request, reply) => reply.send(),
    });
  }
}
