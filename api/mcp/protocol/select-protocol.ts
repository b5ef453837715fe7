// Selects the protocol revision of a request, and whether its server can take the message directly.
import type { FastifyRequest } from 'fastify';
import {
  classifyInboundRequest,
  type InboundClassificationOutcome,
  type InboundHttpRequest,
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import {
  type JSONRPCRequest,
  JSONRPCRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS as VERSIONS_OF_SDK,
} from '@modelcontextprotocol/sdk/types.js';

type Posted = Pick<FastifyRequest, 'headers' | 'body'>;

export type Route = InboundClassificationOutcome;
export type NewerRequest = Extract<Route, { kind: 'modern'; messageKind: 'request' }>;

const OLDER: Route = { kind: 'legacy', reason: 'no-claim' };

/** Like the library's handler, whose Request objects cost more to create than this. */
export function routeOf({ headers, body }: Posted): Route {
  if (body === undefined || isPlainlyOlder({ headers, body })) return OLDER;
  const asked: InboundHttpRequest = { httpMethod: 'POST', body };
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers;
  // Strings, because Node joins repeated headers.
  if (typeof version === 'string') asked.protocolVersionHeader = version;
  if (typeof method === 'string') asked.mcpMethodHeader = method;
  if (typeof name === 'string') asked.mcpNameHeader = name;
  return classifyInboundRequest(asked);
}

/** Whether neither header nor body names the newer revision. The library takes five times as long to tell. */
function isPlainlyOlder({ headers: { 'mcp-protocol-version': version }, body }: Posted): boolean {
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return false;
  return isJSONRPCRequest(body) && body.params?._meta === undefined;
}

/** Undefined if the transport of the older revisions must handle the request. */
export function singleRequest({ headers, body }: Posted): JSONRPCRequest | undefined {
  const { accept = '', 'content-type': type, 'mcp-protocol-version': version } = headers;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return undefined;
  if (type !== 'application/json') return undefined;
  if (version !== undefined && !VERSIONS_OF_SDK.includes(String(version))) return undefined;
  if (Array.isArray(body)) return undefined;
  const { data } = JSONRPCRequestSchema.safeParse(body);
  return data?.method === 'initialize' ? undefined : data;
}

/**
 * A tool call of revision 2026-07-28, the most frequent request. Checks the headers of this method only.
 * @param revision the one that is served
 */
export function singleCall(
  { headers }: Pick<FastifyRequest, 'headers'>,
  route: Route,
  revision: string,
): NewerRequest | undefined {
  if (route.kind !== 'modern' || route.messageKind !== 'request') return undefined;
  const { message, classification } = route;
  if (message.method !== 'tools/call' || classification.revision !== revision) return undefined;
  if (headers['content-type'] !== 'application/json') return undefined;
  // The library has compared the other headers with the message; only the name is left.
  if (headers['mcp-protocol-version'] === undefined || headers['mcp-method'] === undefined) return undefined;
  return headers['mcp-name'] === message.params?.['name'] ? route : undefined;
}
