// The revision 2026-07-28, which has no sessions, with the library that supports it.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  createMcpHandler,
  type JSONRPCMessage,
  PerRequestHTTPServerTransport,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Release } from '../../../core/limiter.ts';
import { ownerOf } from '../../capacity/capacity.ts';
import type { Services } from '../../contract/context.ts';
import { type Route, singleCall } from './select-protocol.ts';
import { createExchange, type Exchange, type SingleAnswer } from './exchange.ts';
import type { McpContext, Params } from '../methods/mcp-context.ts';
import { type MethodName, METHODS, methodsIn } from '../methods/methods.ts';
import {
  isTaskMethod,
  missingExtension,
  TASK_METHODS,
  type TaskMethodName,
  taskMethodsIn,
  TASKS_EXTENSION,
} from '../methods/tasks.ts';
import { RPC_CODES, RpcError } from '../methods/rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import {
  createSubscriptions,
  isListen,
  readSubscription,
  type Subscriber,
  wantsTasks,
} from './subscriptions.ts';

/** The revision that this file serves. */
const REVISION = '2026-07-28';

/** The tool list depends only on the release and on the credential's scope. */
const FIXED = { ttlMs: 300_000, cacheScope: 'private' } as const;

const OPTIONS = {
  supportedProtocolVersions: [REVISION],
  capabilities: {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    completions: {},
    extensions: { [TASKS_EXTENSION]: {} },
  },
  instructions: INSTRUCTIONS,
  cacheHints: {
    'server/discover': FIXED,
    'tools/list': FIXED,
    'prompts/list': FIXED,
    'resources/templates/list': FIXED,
  },
};

/** Who may get a stream. */
interface StreamCaller extends Pick<Subscriber, 'stillWorks'> {
  /** Calls the function when the answer has ended. */
  holdUntilSent: (release: Release) => void;
}

export interface Protocol2026 {
  /** @returns undefined if `serve` must handle the request */
  answer: (
    ctx: McpContext,
    request: Pick<FastifyRequest, 'headers'>,
    route: Route,
  ) => Promise<SingleAnswer | undefined>;
  /** @param request without its body, which is passed parsed */
  serve: (ctx: McpContext, request: Request, body: unknown, caller: StreamCaller) => Promise<Response>;
  /** Ends open streams. */
  close: () => Promise<void>;
}

type Served = MethodName | TaskMethodName;
const SERVED = { ...METHODS, ...TASK_METHODS };

interface Call {
  ctx: McpContext;
  /** The methods in the request. */
  methods: readonly Served[];
  subscriber?: Subscriber;
}

export async function createProtocol2026(services: Services, recheckMs?: number): Promise<Protocol2026> {
  const calls = new AsyncLocalStorage<Call>();
  const subscriptions = createSubscriptions(services, () => calls.getStore()?.subscriber, recheckMs);
  const onerror = (error: Error) => services.log.debug({ err: error }, 'refused by the protocol');
  const handler = createMcpHandler(() => serverFor(calls.getStore()), {
    legacy: 'reject',
    bus: subscriptions.bus,
    onerror,
  });
  const exchange = createExchange<JSONRPCMessage>();
  const transport = new SharedTransport(exchange);
  const server = createServer(['tools/call'], exchange.contextOf);
  // It takes no listeners.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.onerror = onerror;
  await server.connect(transport);
  return {
    answer: async (ctx, request, route) => {
      const call = singleCall(request, route, REVISION);
      if (call === undefined) return undefined;
      const { classification } = call;
      const message = await exchange.ask(ctx, call.message, (asked) =>
        transport.onmessage?.(asked, { classification }),
      );
      return { status: statusOf(message), message: withoutContent(message) };
    },
    serve: async (ctx, request, body, { stillWorks, holdUntilSent }) => {
      const methods: Served[] = [...methodsIn(body), ...taskMethodsIn(body)];
      if (!isListen(body))
        return calls.run({ ctx, methods }, () => handler.fetch(request, { parsedBody: body }));
      if (!ctx.hasTasks && wantsTasks(body)) return refusal(body, missingExtension());
      // Before anything is awaited, so that calls at the same time cannot exceed the limits.
      holdUntilSent(ctx.capacity.takeSubscription(ownerOf(ctx.principal)));
      const asked = await readSubscription(ctx, body);
      const ending = new AbortController();
      const subscriber = { uris: asked.uris, stillWorks, end: () => ending.abort() };
      const signal = AbortSignal.any([ctx.signal, ending.signal]);
      return calls.run({ ctx, methods, subscriber }, () =>
        handler.fetch(new Request(request, { signal }), { parsedBody: asked.body }),
      );
    },
    close: async () => {
      await handler.close();
      await subscriptions.close();
    },
  };
}

function refusal({ id = null }: { id?: unknown }, { code, message, data }: RpcError): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { status: 400 });
}

/** A subclass of the library's transport, from which a server learns the revision. */
class SharedTransport extends PerRequestHTTPServerTransport {
  private readonly exchange: Exchange<JSONRPCMessage>;

  constructor(exchange: Exchange<JSONRPCMessage>) {
    super({ classification: { era: 'modern', revision: REVISION } });
    this.exchange = exchange;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    this.exchange.answer(message);
  }
}

/** The library adds `content` to results of tools that have none, as a new task. */
function withoutContent(message: JSONRPCMessage): object {
  if (!('result' in message) || message.result['resultType'] !== 'task') return message;
  const { content: _content, ...result } = message.result;
  return { ...message, result };
}

/** All errors of methods have one HTTP status. */
const statusOf = (message: JSONRPCMessage): number =>
  'error' in message && message.error.code === RPC_CODES.missingCapability ? 400 : 200;

function serverFor(call: Call | undefined): Server {
  if (call === undefined) throw new Error('A server was created outside of a call');
  return createServer(call.methods, () => call.ctx);
}

/** @param contextOf the context of a request, by its id */
function createServer(methods: readonly Served[], contextOf: (id: string | number) => McpContext): Server {
  const server = new Server({ ...SERVER_INFO }, OPTIONS);
  for (const name of methods) {
    if (isTaskMethod(name)) {
      server.setRequestHandler(name, { params: ANY_PARAMS }, async (params, { mcpReq }) => ({
        // An object, by the protocol.
        ...(await answer(contextOf(mcpReq.id), name, params as Params)),
      }));
      continue;
    }
    // The library types each method separately; here they share one handler.
    server.setRequestHandler(name as 'ping', async ({ params = {} }, { mcpReq }) =>
      answer(contextOf(mcpReq.id), name, params),
    );
  }
  return server;
}

/** A schema for the library. The methods read their parameters themselves. */
const ANY_PARAMS = {
  '~standard': {
    version: 1,
    vendor: 'recordwatch',
    validate: (value: unknown) => ({ value }),
  },
} as const;

async function answer(ctx: McpContext, method: Served, params: Params): Promise<object> {
  try {
    return await SERVED[method](ctx, params);
  } catch (error) {
    if (error instanceof RpcError) throw new ProtocolError(error.code, error.message, error.data);
    ctx.log.error({ err: error }, 'failed');
    throw new ProtocolError(RPC_CODES.internal, 'An internal error. It has been logged.');
  }
}
