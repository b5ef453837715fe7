// Which POSTs the libraries' servers can be given as they are: single messages that want an answer, in which the libraries'
// own transports would find no fault. Those are written for batches, streams and sessions, and make a web request and a
// web response of every exchange, which takes several times as long as answering.
import type { FastifyRequest } from 'fastify';
import {
  type JSONRPCRequest,
  JSONRPCRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import type { NewerRequest, Route } from './era.ts';

type Posted = Pick<FastifyRequest, 'headers' | 'body'>;

/** Undefined for what the transport of the initialize era is for. */
export function singleRequest({ headers, body }: Posted): JSONRPCRequest | undefined {
  const { accept = '', 'content-type': type, 'mcp-protocol-version': version } = headers;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return undefined;
  if (type !== 'application/json') return undefined;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return undefined;
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
