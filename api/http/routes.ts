// The REST door: one route per operation, derived from the table.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../db/access/callers.ts';
import type { AppServices, PublicContext } from '../contract/context.ts';
import { deprecationHeaders } from './deprecation.ts';
import { type Answer, type AnswerOnce, createIdempotency, idempotencyKeyOf } from './idempotency.ts';
import { letIn } from '../access/let-in.ts';
import type { Operation } from '../contract/operation.ts';
import { preferredWaitSeconds } from './prefer.ts';
import type { RateLimits } from '../access/rate-limit.ts';
import { type Sender, sendAnswer } from './send-answer.ts';
import { compileInput } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null until the credential was checked, and where none is needed. */
    caller: Caller | null;
    /** Whom to count the caller for (core/network/caller-address.ts); empty until then. */
    address: string;
  }
}

/** Longer than any statement may run; a caller who asked to wait has asked for up to a minute. */
const HANDLER_TIMEOUT_MS = 30_000;
const WAITING_HANDLER_TIMEOUT_MS = 90_000;

export interface Door {
  services: AppServices;
  rateLimits: RateLimits;
  /** Aborts when the process is about to end. */
  closing: AbortSignal;
}

export function registerRoutes(app: FastifyInstance, door: Door, operations: readonly Operation[]): void {
  const { db, clock, capacity } = door.services;
  const keeper = { db, clock, rateLimits: door.rateLimits, capacity };
  const answerOnce = createIdempotency(door.services);
  for (const operation of operations) registerOperation(app, door, operation, keeper, answerOnce);
}

interface Route {
  Querystring: Readonly<Record<string, unknown>>;
  Params: Readonly<Record<string, string>>;
}

function registerOperation(
  app: FastifyInstance,
  door: Door,
  operation: Operation,
  keeper: Sender,
  answerOnce: AnswerOnce,
): void {
  const { services, closing } = door;
  const readInput = compileInput(operation);
  const headers = operation.deprecated === undefined ? {} : deprecationHeaders(operation.deprecated);
  app.route<Route>({
    method: operation.http.method,
    url: operation.http.path,
    handlerTimeout: operation.mayWait === true ? WAITING_HANDLER_TIMEOUT_MS : HANDLER_TIMEOUT_MS,
    // Before the body is read: a stranger's body is not worth parsing.
    onRequest: async (request, reply) => {
      void reply.headers(headers);
      // A key that cannot be one is refused before what the caller may not do.
      idempotencyKeyOf(operation, request.headers['idempotency-key']);
      await letIn(keeper, operation, request, reply, request.params['id']);
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
      return sendAnswer(keeper, operation, request, reply, given);
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
  const { log, address } = request;
  return { ...services, log, address, waitMs: (waitSeconds ?? 0) * 1_000, signal };
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

/** Aborts when the connection closes before the answer is out. */
function callerLeft(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
