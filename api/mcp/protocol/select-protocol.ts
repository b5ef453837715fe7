// Decides which protocol revision answers a request, and whether its server can take the message directly.
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

/** Undefined for what the transport of the initialize era is for. */
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
 * A tool call of the era of 2026-07-28: what is called most, and the one method whose headers are looked at here.
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
  // Those that are there were held against the message already, but for the name.
  if (headers['mcp-protocol-version'] === undefined || headers['mcp-method'] === undefined) return undefined;
  return headers['mcp-name'] === message.params?.['name'] ? route : undefined;
}
