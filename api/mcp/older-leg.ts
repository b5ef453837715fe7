// The initialize era (2025-11-25 and before), by the library that is maintained for it. Stateless: a server per request.
import type { FastifyRequest } from 'fastify';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { McpContext } from './mcp-context.ts';
import { type MethodName, METHODS, methodsIn, type Params } from './methods.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';
import { answerSingle, singleRequest } from './single-request.ts';

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

/** Nothing is ever validated with it, and making one per request costs more than all the rest. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const OPTIONS = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  instructions: INSTRUCTIONS,
  jsonSchemaValidator,
};

/** Of this era; later ones call it invalid parameters. */
const RESOURCE_NOT_FOUND = -32_002;

/** @returns the text of the answer's JSON, of status 200; undefined for what serveOlder is for */
export async function answerOlder(
  ctx: McpContext,
  request: Pick<FastifyRequest, 'headers' | 'body'>,
): Promise<string | undefined> {
  const single = singleRequest(request);
  if (single === undefined) return undefined;
  return JSON.stringify(await answerSingle(serverFor(ctx, single), single));
}

/**
 * Batches, notifications, the first message, and whatever is not as it should be.
 * @param request without a body, which is given as it was parsed
 */
export async function serveOlder(ctx: McpContext, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await serverFor(ctx, body).connect(transport);
  // Not closed: when everything is answered nothing refers to it, and closing makes an error for nobody.
  return transport.handleRequest(request, { parsedBody: body });
}

function serverFor(ctx: McpContext, body: unknown): Server {
  const server = new Server({ ...SERVER_INFO }, OPTIONS);
  for (const method of methodsIn(body)) {
    server.setRequestHandler(SCHEMAS[method], async ({ params = {} }) => answer(ctx, method, params));
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

/** The library shows the text of any error. */
function withoutWords({ log }: McpContext, error: unknown): McpError {
  log.error({ err: error }, 'failed');
  return new McpError(RPC_CODES.internal, 'Something went wrong on our side. It has been logged.');
}
