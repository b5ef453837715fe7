// Most POSTs of the initialize era: one message that wants an answer. They need none of what the library's transport
// does for batches, streams and sessions, which takes several times as long as the answer.
import type { FastifyRequest } from 'fastify';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  JSONRPCRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';

/** The request of a POST that is of this kind, and in which that transport would find no fault. */
export function singleRequest({
  headers,
  body,
}: Pick<FastifyRequest, 'headers' | 'body'>): JSONRPCRequest | undefined {
  const { accept = '', 'content-type': type, 'mcp-protocol-version': version } = headers;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return undefined;
  if (type !== 'application/json') return undefined;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return undefined;
  if (Array.isArray(body)) return undefined;
  const { data } = JSONRPCRequestSchema.safeParse(body);
  return data?.method === 'initialize' ? undefined : data;
}

/** @param server that is connected to nothing yet */
export async function answerSingle(server: Server, request: JSONRPCRequest): Promise<JSONRPCMessage> {
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>();
  const transport: Transport = {
    start: async () => undefined,
    // The server sends nothing else: no tool tells of its progress.
    send: async (message) => resolve(message),
    close: async () => undefined,
  };
  await server.connect(transport);
  transport.onmessage?.(request);
  return promise;
}
