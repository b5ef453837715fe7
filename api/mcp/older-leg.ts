// The initialize era (2025-11-25 and before), by the library that is maintained for it. Stateless: a server per request.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Context } from '../context.ts';
import { type MethodName, METHODS, type Params } from './methods.ts';
import { RpcError } from './rpc-error.ts';
import { INSTRUCTIONS, SERVER_INFO } from './server-info.ts';

const SCHEMAS = {
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
} as const satisfies Record<MethodName, unknown>;

/** Nothing is ever validated with it, and making one per request costs more than all the rest. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const OPTIONS = { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator };

/** @param request without a body, which is given as it was parsed */
export async function serveOlder(ctx: Context, request: Request, body: unknown): Promise<Response> {
  // Deprecated in favour of a class that takes schemas of another library than ours.
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server({ ...SERVER_INFO }, OPTIONS);
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const method = METHODS[name as MethodName];
    server.setRequestHandler(schema, async ({ params = {} }) => {
      // Its results are those of the protocol, which the library checks.
      return (await asMcpErrors(method(ctx, params as Params))) as Record<string, unknown>;
    });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

async function asMcpErrors(answer: Promise<object>): Promise<object> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RpcError) throw new McpError(error.code, error.message, error.data);
    throw error;
  }
}
