// The REST API: one route per operation.
import { ApiError } from '../../core/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isId } from '../../core/ids.ts';
import { originOfRequest } from '../contract/audit.ts';
import type { Deprecation, Operation } from '../contract/operation.ts';
import type { Caller } from '../../db/access/callers.ts';
import type { AppServices, Context, PublicContext } from '../contract/context.ts';
import { type Answer, type AnswerOnce, createIdempotency, idempotencyKeyOf } from './idempotency.ts';
import { admitRequest, authenticate, requireWorking, stillWorks } from '../access/admission.ts';
import { wantsEventStream } from './event-stream.ts';
import { createGoneSignals } from './disconnect-signals.ts';
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
const TIMEOUT_MS = 30_000;
const WAITING_TIMEOUT_MS = 90_000;
/** A gigabyte at 2.4 Mbit/s. */
const FILE_TIMEOUT_MS = 3_600_000;

/** The defaults are above. */
interface AnswerTimeouts {
  /** For an operation to find its answer; sending it is not included. */
  operationTimeoutMs?: number;
  /** From a request's headers to the last byte of a file. */
  fileTimeoutMs?: number;
}

export interface AppContext {
  services: AppServices;
  rateLimits: RateLimits;
  timeouts: AnswerTimeouts;
  /** Aborts when the process is about to end. */
  closing: AbortSignal;
}

interface RoutesContext extends AppContext {
  /** The signal of a response that may take long. */
  goneSignals: (reply: FastifyReply) => AbortSignal;
}

export function registerRoutes(
  app: FastifyInstance,
  context: AppContext,
  operations: readonly Operation[],
): void {
  const { db, clock, capacity } = context.services;
  const { rateLimits, timeouts } = context;
  const { fileTimeoutMs = FILE_TIMEOUT_MS } = timeouts;
  const admission = { db, clock, rateLimits, capacity, fileTimeoutMs };
  const answerOnce = createIdempotency(context.services);
  const goneSignals = createGoneSignals(context.closing);
  for (const operation of operations) {
    registerOperation(app, { ...context, goneSignals }, operation, admission, answerOnce);
  }
}

interface Route {
  Querystring: Readonly<Record<string, unknown>>;
  Params: Readonly<Record<string, string>>;
}

function registerOperation(
  app: FastifyInstance,
  context: RoutesContext,
  operation: Operation,
  admission: ResponseContext,
  answerOnce: AnswerOnce,
): void {
  const { services, timeouts } = context;
  const { operationTimeoutMs = operation.mayWait === true ? WAITING_TIMEOUT_MS : TIMEOUT_MS } = timeouts;
  const readInput = compileInput(operation);
  const headers = operation.deprecated === undefined ? {} : deprecationHeaders(operation.deprecated);
  app.route<Route>({
    method: operation.http.method,
    url: operation.http.path,
    config: { operation: operation.name },
    // Before the body is read, so that bodies of strangers are not parsed.
    onRequest: async (request, reply) => {
      void reply.headers(headers);
      // A malformed key is reported before a missing permission.
      idempotencyKeyOf(operation, request.headers['idempotency-key']);
      await admitRequest(admission, operation, request, reply, request.params['id']);
    },
    handler: async (request, reply) => {
      const { params, body, caller, url } = request;
      const query = operation.takesTokenInUrl === true ? withoutToken(request.query) : request.query;
      const input = readInput({ params, query, body });
      const call = callOf(context, operation, request, reply);
      if (call.waitMs > 0) void reply.header('preference-applied', `wait=${call.waitMs / 1_000}`);
      const asker = {
        caller,
        reference: params['id'],
        stillWorks: () => stillWorks(services.db, authenticate, request),
      };
      const answer = (): Promise<Answer> => run(operation, call, asker, input);
      const key = idempotencyKeyOf(operation, request.headers['idempotency-key']);
      const given = await within(
        operationTimeoutMs,
        key === undefined || caller === null
          ? answer()
          : answerOnce({ credentialId: caller.principal.credentialId, key, operation, url, body }, answer),
      );
      // The feed looks for itself, before it reads what came meanwhile.
      const hasWaited =
        operation.alwaysWaits === true || (call.waitMs > 0 && operation.http.method !== 'GET');
      if (hasWaited && caller !== null) await requireWorking(asker);
      return sendAnswer(admission, operation, request, reply, given);
    },
  });
}

/** It was a credential, and is no input. */
function withoutToken({ token: _token, ...query }: Route['Querystring']): Route['Querystring'] {
  return query;
}

/**
 * Not Fastify's `handlerTimeout`, which would also break off a file that is still being sent.
 * @throws ApiError unavailable after the time; the work continues, and its answer is dropped
 */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ApiError('unavailable', TOO_LONG)), timeoutMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const TOO_LONG = 'This took too long. Try again in a moment.';

function callOf(
  { services, closing, goneSignals }: RoutesContext,
  { mayWait = false, mayStream = false }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): PublicContext {
  const isStream = mayStream && wantsEventStream(request);
  const waitSeconds = mayWait && !isStream ? preferredWaitSeconds(request.headers['prefer']) : undefined;
  const signal = isStream || waitSeconds !== undefined ? goneSignals(reply) : closing;
  const { log, address, caller } = request;
  const isPerson = isId('loginSession', caller?.principal.credentialId ?? '');
  const origin = originOfRequest(request, isPerson ? 'dashboard' : 'api');
  const [lastEventId] = [request.headers['last-event-id'] ?? []].flat();
  const stream = isStream ? { stream: { lastEventId: lastEventId === '' ? undefined : lastEventId } } : {};
  return { ...services, log, address, origin, waitMs: (waitSeconds ?? 0) * 1_000, signal, ...stream };
}

interface Asker extends Pick<Context, 'reference' | 'stillWorks'> {
  caller: Caller | null;
}

async function run(operation: Operation, call: PublicContext, asker: Asker, input: unknown): Promise<Answer> {
  const output = await outputOf(operation, call, asker, input);
  const { status = 200 } = operation.http;
  return { status: typeof status === 'function' ? status(output) : status, output };
}

function outputOf(operation: Operation, call: PublicContext, asker: Asker, input: unknown): Promise<unknown> {
  if (operation.scope === 'public') return operation.run(call, input);
  const { caller, reference, stillWorks } = asker;
  if (caller === null) throw new Error('A route was reached without authentication');
  return operation.run({ ...call, ...caller, reference, stillWorks }, input);
}
