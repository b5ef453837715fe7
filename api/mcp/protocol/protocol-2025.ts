// The revisions up to 2025-11-25, which begin with `initialize`. Stateless, with the library that supports them.
import type { FastifyRequest } from 'fastify';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createExchange, type SingleAnswer } from './exchange.ts';
import type { McpContext, Params } from '../methods/mcp-context.ts';
import { METHOD_NAMES, type MethodName, METHODS, methodsIn } from '../methods/methods.ts';
import { RPC_CODES, RpcError } from '../methods/rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import { singleRequest } from './select-protocol.ts';

const SCHEMAS = {
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
  'resources/list': ListResourcesRequestSchema,
  'resources/templates/list': ListResourceTemplatesRequestSchema,
  'resources/read': ReadResourceRequestSchema,
  'prompts/list': ListPromptsRequestSchema,
  'prompts/get': GetPromptRequestSchema,
  'completion/complete': CompleteRequestSchema,
} as const satisfies Record<MethodName, unknown>;

/** Never used. Creating one per request costs more than all the rest. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const OPTIONS = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  instructions: INSTRUCTIONS,
  jsonSchemaValidator,
};

/** Of these revisions. Later ones report invalid parameters. */
const RESOURCE_NOT_FOUND = -32_002;

export interface Protocol2025 {
  /** @returns undefined if `serve` must handle the request */
  answer: (
    ctx: McpContext,
    request: Pick<FastifyRequest, 'headers' | 'body'>,
  ) => Promise<SingleAnswer | undefined>;
  /**
   * Handles batches, notifications, the first message and invalid requests.
   * @param request without its body, which is passed parsed
   */
  serve: (ctx: McpContext, request: Request, body: unknown) => Promise<Response>;
}

export async function createProtocol2025(): Promise<Protocol2025> {
  const exchange = createExchange<JSONRPCMessage>();
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => exchange.answer(message),
    close: async () => undefined,
  };
  await createServer(METHOD_NAMES, exchange.contextOf).connect(transport);
  return {
    answer: async (ctx, request) => {
      const single = singleRequest(request);
      if (single === undefined) return undefined;
      const message = await exchange.ask(ctx, single, (asked) => transport.onmessage?.(asked));
      return { status: 200, message };
    },
    serve: async (ctx, request, body) => {
      const ofBody = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await createServer(methodsIn(body), () => ctx).connect(ofBody);
      // Not closed: nothing refers to it after the response, and closing would raise an unhandled error.
      return ofBody.handleRequest(request, { parsedBody: body });
    },
  };
}

/** @param contextOf the context of a request, by its id */
function createServer(
  methods: readonly MethodName[],
  contextOf: (id: string | number) => McpContext,
): Server {
  const server = new Server({ ...SERVER_INFO }, OPTIONS);
  for (const method of methods) {
    server.setRequestHandler(SCHEMAS[method], async ({ params = {} }, { requestId }) =>
      answer(contextOf(requestId), method, params),
    );
  }
  return server;
}

async function answer(ctx: McpContext, method: MethodName, params: Params) {
  try {
    return { ...(await METHODS[method](ctx, params)) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw withoutWords(ctx, error);
    const isMissing = method === 'resources/read' && error.code === RPC_CODES.invalidParams;
    throw new McpError(isMissing ? RESOURCE_NOT_FOUND : error.code, error.message, error.data);
  }
}

/** The library sends any error's message to the client, so unexpected errors are replaced. */
function withoutWords({ log }: McpContext, error: unknown): McpError {
  log.error({ err: error }, 'failed');
  return new McpError(RPC_CODES.internal, 'An internal error. It has been logged.');
}
