// Which era a request is of, as the newer library decides it.
import type { FastifyRequest } from 'fastify';
import {
  classifyInboundRequest,
  type InboundClassificationOutcome,
  type InboundHttpRequest,
} from '@modelcontextprotocol/server';

export type Route = InboundClassificationOutcome;
export type NewerRequest = Extract<Route, { kind: 'modern'; messageKind: 'request' }>;

/** The same as in the library's handler, which takes requests of another kind: making one costs more than this. */
export function routeOf({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): Route {
  if (body === undefined) return { kind: 'legacy', reason: 'no-claim' };
  const asked: InboundHttpRequest = { httpMethod: 'POST', body };
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers;
  // Texts: Node joins the values of headers that come twice.
  if (typeof version === 'string') asked.protocolVersionHeader = version;
  if (typeof method === 'string') asked.mcpMethodHeader = method;
  if (typeof name === 'string') asked.mcpNameHeader = name;
  return classifyInboundRequest(asked);
}
