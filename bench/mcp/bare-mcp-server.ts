// The servers for comparison: the same two libraries with one tool that returns a constant, mounted in the same way, on one
// path for each protocol era. No credentials, no database.
import { createMcpHandler, Server as NewerServer } from '@modelcontextprotocol/server';
import { Server as OlderServer } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { fastify, type FastifyRequest } from 'fastify';

export interface BareMcpOrder {
  /** The JSON text of the constant. */
  text: string;
}

export interface BareMcpAnswer {
  url: string;
}

const INFO = { name: 'bare', version: '1' };
const OPTIONS = { capabilities: { tools: {} }, jsonSchemaValidator: new AjvJsonSchemaValidator() };

process.once('message', (order: BareMcpOrder) => {
  void serve(order).then((url) => process.send?.({ url } satisfies BareMcpAnswer));
});
process.once('disconnect', () => process.exit());

async function serve({ text }: BareMcpOrder): Promise<string> {
  const answer = () => ({
    content: [{ type: 'text' as const, text }],
    // The text is a JSON object.
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  });
  const newer = createMcpHandler(
    () => {
      const server = new NewerServer(INFO, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/call', async () => answer());
      return server;
    },
    { legacy: 'reject' },
  );
  const app = fastify();
  app.post('/newer', async (request, reply) =>
    reply.send(await newer.fetch(webRequest(request), { parsedBody: request.body })),
  );
  app.post('/older', async (request, reply) => {
    const server = new OlderServer(INFO, OPTIONS);
    server.setRequestHandler(CallToolRequestSchema, async () => answer());
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return reply.send(await transport.handleRequest(webRequest(request), { parsedBody: request.body }));
  });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

function webRequest({ headers }: FastifyRequest): Request {
  const shown = Object.entries(headers).filter(
    ([name, value]) => typeof value === 'string' && /^(accept|content-type|mcp-.*)$/.test(name),
  );
  // Texts: the others were left out.
  return new Request('http://localhost/mcp', { method: 'POST', headers: shown as [string, string][] });
}
