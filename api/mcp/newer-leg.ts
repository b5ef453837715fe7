// The era of 2026-07-28, which knows no sessions, by the library that speaks it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import type { Context } from '../context.ts';
import { type MethodName, METHODS, type Params } from './methods.ts';
import { RpcError } from './rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';

/** Lists are of the caller; a tool list changes with the product only. */
const CACHE_HINTS = { 'tools/list': { ttlMs: 300_000, cacheScope: 'private' } } as const;

const OPTIONS = { capabilities: { tools: {} }, instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS };

export interface NewerLeg {
  /** @param request without a body, which is given as it was parsed */
  serve: (ctx: Context, request: Request, body: unknown) => Promise<Response>;
  /** Ends what is under way. */
  close: () => Promise<void>;
}

export function createNewerLeg(log: Context['log']): NewerLeg {
  const calls = new AsyncLocalStorage<Context>();
  const handler = createMcpHandler(() => serverFor(calls.getStore()), {
    legacy: 'reject',
    onerror: (error) => log.debug({ err: error }, 'refused by the protocol'),
  });
  return {
    serve: (ctx, request, body) => calls.run(ctx, () => handler.fetch(request, { parsedBody: body })),
    close: handler.close,
  };
}

function serverFor(ctx: Context | undefined): Server {
  if (ctx === undefined) throw new Error('A server was made outside of a call');
  const server = new Server({ ...SERVER_INFO }, OPTIONS);
  for (const name of Object.keys(METHODS) as MethodName[]) {
    // The library checks requests and results of each method; here all are alike.
    server.setRequestHandler(name as 'ping', async ({ params = {} }) => {
      return (await asProtocolErrors(METHODS[name](ctx, params as Params))) as Record<string, never>;
    });
  }
  return server;
}

async function asProtocolErrors(answer: Promise<object>): Promise<object> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RpcError) throw new ProtocolError(error.code, error.message, error.data);
    throw error;
  }
}
