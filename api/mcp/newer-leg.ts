// The era of 2026-07-28, which knows no sessions, by the library that speaks it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import type { Services } from '../context.ts';
import type { McpContext } from './mcp-context.ts';
import { type MethodName, METHODS, methodsIn, type Params } from './methods.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import { createSubscriptions, isListen, readSubscription, type Subscriber } from './subscriptions.ts';

/** Changes with the product only, and with what the credential may do. */
const FIXED = { ttlMs: 300_000, cacheScope: 'private' } as const;

const OPTIONS = {
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
  instructions: INSTRUCTIONS,
  cacheHints: {
    'server/discover': FIXED,
    'tools/list': FIXED,
    'prompts/list': FIXED,
    'resources/templates/list': FIXED,
  },
};

export interface NewerLeg {
  /**
   * @param request without a body, which is given as it was parsed
   * @param stillWorks asks whether the caller's credential does
   */
  serve: (
    ctx: McpContext,
    request: Request,
    body: unknown,
    stillWorks: Subscriber['stillWorks'],
  ) => Promise<Response>;
  /** Ends what is under way. */
  close: () => Promise<void>;
}

interface Call {
  ctx: McpContext;
  /** What the request asks for. */
  methods: readonly MethodName[];
  subscriber?: Subscriber;
}

export function createNewerLeg(services: Services, recheckMs?: number): NewerLeg {
  const calls = new AsyncLocalStorage<Call>();
  const subscriptions = createSubscriptions(services, () => calls.getStore()?.subscriber, recheckMs);
  const handler = createMcpHandler(() => serverFor(calls.getStore()), {
    legacy: 'reject',
    bus: subscriptions.bus,
    onerror: (error) => services.log.debug({ err: error }, 'refused by the protocol'),
  });
  return {
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

function serverFor(call: Call | undefined): Server {
  if (call === undefined) throw new Error('A server was made outside of a call');
  const server = new Server({ ...SERVER_INFO }, OPTIONS);
  const { ctx } = call;
  for (const name of call.methods) {
    // The library checks requests and results of each method; here all are alike.
    server.setRequestHandler(name as 'ping', async ({ params = {} }) => answer(ctx, name, params));
  }
  return server;
}

async function answer(ctx: McpContext, method: MethodName, params: Params): Promise<object> {
  try {
    return await METHODS[method](ctx, params);
  } catch (error) {
    if (error instanceof RpcError) throw new ProtocolError(error.code, error.message, error.data);
    ctx.log.error({ err: error }, 'failed');
    throw new ProtocolError(RPC_CODES.internal, 'Something went wrong on our side. It has been logged.');
  }
}
