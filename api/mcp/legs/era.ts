// Which era a request is of, as the newer library decides it.
import type { FastifyRequest } from 'fastify';
import {
  classifyInboundRequest,
  type InboundClassificationOutcome,
  type InboundHttpRequest,
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';

type Posted = Pick<FastifyRequest, 'headers' | 'body'>;

export type Route = InboundClassificationOutcome;
export type NewerRequest = Extract<Route, { kind: 'modern'; messageKind: 'request' }>;

const OLDER: Route = { kind: 'legacy', reason: 'no-claim' };

/** The same as in the library's handler, which takes requests of another kind: making one costs more than this. */
export function routeOf({ headers, body }: Posted): Route {
  if (body === undefined || isPlainlyOlder({ headers, body })) return OLDER;
  const asked: InboundHttpRequest = { httpMethod: 'POST', body };
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers;
  // Texts: Node joins the values of headers that come twice.
  if (typeof version === 'string') asked.protocolVersionHeader = version;
  if (typeof method === 'string') asked.mcpMethodHeader = method;
  if (typeof name === 'string') asked.mcpNameHeader = name;
  return classifyInboundRequest(asked);
}

/** A request that says nothing of the newer era, in its header or in its body: the library takes five times as long. */
function isPlainlyOlder({ headers: { 'mcp-protocol-version': version }, body }: Posted): boolean {
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return false;
  return isJSONRPCRequest(body) && body.params?._meta === undefined;
}
