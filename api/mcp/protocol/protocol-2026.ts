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
import type { Services } from '../../contract/context.ts';
import { type Route, singleCall } from './select-protocol.ts';
import { createExchange, type Exchange, type SingleAnswer } from './exchange.ts';
import type { McpContext, Params } from '../methods/mcp-context.ts';
import { type MethodName, METHODS, methodsIn } from '../methods/methods.ts';
import { RPC_CODES, RpcError } from '../methods/rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import { createSubscriptions, isListen, readSubscription, type Subscriber } from './subscriptions.ts';

/** The revision that this file serves. */
const REVISION = '2026-07-28';

/** The tool list depends only on the release and on the credential's scope. */
const FIXED = { ttlMs: 300_000, cacheScope: 'private' } as const;

const OPTIONS = {
  supportedProtocolVersions: [REVISION],
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
  instructions: INSTRUCTIONS,
  cacheHints: {
    'server/discover': FIXED,
    'tools/list': FIXED,
    'prompts/list': FIXED,
    'resources/templates/list': FIXED,
  },
};

export interface Protocol2026 {
  /** @returns undefined if `serve` must handle the request */
  answer: (
    ctx: McpContext,
    request: Pick<FastifyRequest, 'headers'>,
    route: Route,
  ) => Promise<SingleAnswer | undefined>;
  /**
   * @param request without its body, which is passed parsed
   * @param stillWorks whether the caller's credential is still valid
   */
  serve: (
    ctx: McpContext,
    request: Request,
    body: unknown,
    stillWorks: Subscriber['stillWorks'],
  ) => Promise<Response>;
  /** Ends open streams. */
  close: () => Promise<void>;
}

interface Call {
  ctx: McpContext;
  /** The methods in the request. */
  methods: readonly MethodName[];
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
      return { status: statusOf(message), message };
    },
    serve: async (ctx, request, body, stillWorks) => {
      const methods = methodsIn(body);
      if (!isListen(body))
        return calls.run({ ctx, methods }, () => handler.fetch(request, { parsedBody: body }));
      subscriptions.requireRoom(ctx.principal.accountId);
      const asked = await readSubscription(ctx, body);
      const ending = new AbortController();
      const { accountId } = ctx.principal;
      const subscriber = { accountId, uris: asked.uris, stillWorks, end: () => ending.abort() };
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

/** All errors of methods have one HTTP status. */
const statusOf = (message: JSONRPCMessage): number =>
  'error' in message && message.error.code === RPC_CODES.missingCapability ? 400 : 200;

function serverFor(call: Call | undefined): Server {
  if (call === undefined) throw new Error('A server was created outside of a call');
  return createServer(call.methods, () => call.ctx);
}

/** @param contextOf the context of a request, by its id */
function createServer(
  methods: readonly MethodName[],
  contextOf: (id: string | number) => McpContext,
): Server {
  const server = new Server({ ...SERVER_INFO }, OPTIONS);
  for (const name of methods) {
    // The library types each method separately; here they share one handler.
    server.setRequestHandler(name as 'ping', async ({ params = {} }, { mcpReq }) =>
      answer(contextOf(mcpReq.id), name, params),
    );
  }
  return server;
}

async function answer(ctx: McpContext, method: MethodName, params: Params): Promise<object> {
  try {
    return await METHODS[method](ctx, params);
  } catch (error) {
    if (error instanceof RpcError) throw new ProtocolError(error.code, error.message, error.data);
    ctx.log.error({ err: error }, 'failed');
    throw new ProtocolError(RPC_CODES.internal, 'An internal error. It has been logged.');
  }
}
