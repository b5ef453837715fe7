// Which era a request is of, as the newer library decides it.
import type { FastifyRequest } from 'fastify';
import { classifyInboundRequest, type InboundHttpRequest } from '@modelcontextprotocol/server';

/** The same as the library's isLegacyRequest, which takes requests of another kind: making one costs more than this. */
export function isOlder({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): boolean {
  if (body === undefined) return true;
  const asked: InboundHttpRequest = { httpMethod: 'POST', body };
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers;
  // Texts: Node joins the values of headers that come twice.
  if (typeof version === 'string') asked.protocolVersionHeader = version;
  if (typeof method === 'string') asked.mcpMethodHeader = method;
  if (typeof name === 'string') asked.mcpNameHeader = name;
  return classifyInboundRequest(asked).kind === 'legacy';
}
