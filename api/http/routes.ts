// The REST API: one route per operation.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isId } from '../../core/ids.ts';
import { originOfRequest } from '../contract/audit.ts';
import type { Deprecation, Operation } from '../contract/operation.ts';
import type { Caller } from '../../db/access/callers.ts';
import type { AppServices, PublicContext } from '../contract/context.ts';
import { type Answer, type AnswerOnce, createIdempotency, idempotencyKeyOf } from './idempotency.ts';
import { admitRequest } from '../access/admission.ts';
import type { RateLimits } from '../access/rate-limits.ts';
import { sendAnswer, type ResponseContext } from './send-answer.ts';
import { compileInput } from './validation.ts';

function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(since.getTime() / 1_000)}`,
    sunset: sunset.toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}

const MAX_WAIT_SECONDS = 60;

/** Undefined if the header has no valid `wait`: unknown preferences are ignored (RFC 7240). */
export function preferredWaitSeconds(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const [, digits] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,5})"?\s*(?:$|[,;])/i.exec(text) ?? [];
  const seconds = Number(digits ?? 0);
  return seconds > 0 ? Math.min(seconds, MAX_WAIT_SECONDS) : undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the credential was checked, and for operations without one. */
    caller: Caller | null;
    /** The address that requests are counted by (core/network/caller-address.ts); empty until admission. */
    address: string;
  }
}

/** Longer than any statement may run. Callers may ask to wait up to a minute. */
const HANDLER_TIMEOUT_MS = 30_000;
const WAITING_HANDLER_TIMEOUT_MS = 90_000;

export interface AppContext {
  services: AppServices;
  rateLimits: RateLimits;
  /** Aborts when the process is about to end. */
  closing: AbortSignal;
}

export function registerRoutes(
  app: FastifyInstance,
  context: AppContext,
  operations: readonly Operation[],
): void {
  const { db, clock, capacity } = context.services;
  const admission = { db, clock, rateLimits: context.rateLimits, capacity };
  const answerOnce = createIdempotency(context.services);
  for (const operation of operations) registerOperation(app, context, operation, admission, answerOnce);
}

interface Route {
  Querystring: Readonly<Record<string, unknown>>;
  Params: Readonly<Record<string, string>>;
}

function registerOperation(
  app: FastifyInstance,
  context: AppContext,
  operation: Operation,
  admission: ResponseContext,
  answerOnce: AnswerOnce,
): void {
  const { services, closing } = context;
  const readInput = compileInput(operation);
  const headers = operation.deprecated === undefined ? {} : deprecationHeaders(operation.deprecated);
  app.route<Route>({
    method: operation.http.method,
    url: operation.http.path,
    config: { operation: operation.name },
    handlerTimeout: operation.mayWait === true ? WAITING_HANDLER_TIMEOUT_MS : HANDLER_TIMEOUT_MS,
    // Before the body is read, so that bodies of strangers are not parsed.
    onRequest: async (request, reply) => {
      void reply.headers(headers);
      // A malformed key is reported before a missing permission.
      idempotencyKeyOf(operation, request.headers['idempotency-key']);
      await admitRequest(admission, operation, request, reply, request.params['id']);
    },
    handler: async (request, reply) => {
      const { params, query, body, caller, url } = request;
      const input = readInput({ params, query, body });
      const call = callOf(services, operation, request, reply, closing);
      if (call.waitMs > 0) void reply.header('preference-applied', `wait=${call.waitMs / 1_000}`);
      const answer = (): Promise<Answer> => run(operation, call, { caller, reference: params['id'] }, input);
      const key = idempotencyKeyOf(operation, request.headers['idempotency-key']);
      const given =
        key === undefined || caller === null
          ? await answer()
          : await answerOnce(
              { credentialId: caller.principal.credentialId, key, operation, url, body },
              answer,
            );
      return sendAnswer(admission, operation, request, reply, given);
    },
  });
}

function callOf(
  services: AppServices,
  { mayWait = false }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
): PublicContext {
  const waitSeconds = mayWait ? preferredWaitSeconds(request.headers['prefer']) : undefined;
  const signal = waitSeconds === undefined ? closing : AbortSignal.any([closing, callerLeft(reply)]);
  const { log, address, caller } = request;
  const isPerson = isId('loginSession', caller?.principal.credentialId ?? '');
  const origin = originOfRequest(request, isPerson ? 'dashboard' : 'api');
  return { ...services, log, address, origin, waitMs: (waitSeconds ?? 0) * 1_000, signal };
}

interface Asker {
  caller: Caller | null;
  reference: string | undefined;
}

async function run(operation: Operation, call: PublicContext, asker: Asker, input: unknown): Promise<Answer> {
  const output = await outputOf(operation, call, asker, input);
  const { status = 200 } = operation.http;
  return { status: typeof status === 'function' ? status(output) : status, output };
}

function outputOf(operation: Operation, call: PublicContext, asker: Asker, input: unknown): Promise<unknown> {
  if (operation.scope === 'public') return operation.run(call, input);
  const { caller, reference } = asker;
  if (caller === null) throw new Error('A route was reached without authentication');
  return operation.run({ ...call, ...caller, reference }, input);
}

/** Aborts when the connection closes before the response is sent. */
function callerLeft(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
