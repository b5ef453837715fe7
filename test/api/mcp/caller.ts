// Calls the MCP server without a client library: one request and one answer, in either era.
import type { TestApi } from '../../support/api/api.ts';

export type Era = 'older' | 'newer';
export const ERAS = ['older', 'newer'] as const satisfies readonly Era[];

export interface RpcOptions {
  /** The account's full key unless given; null sends none. */
  key?: string | null;
  era?: Era;
  headers?: Record<string, string>;
}

export interface RpcAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // Tests look into answers freely.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The message of a method in an era. */
export function messageOf(era: Era, method: string, params: object): object {
  const all = era === 'newer' ? { ...params, _meta: META } : params;
  return { jsonrpc: '2.0', id: 1, method, params: all };
}

export function headersOf(era: Era, method: string, params: object): Record<string, string> {
  if (era === 'older') return { 'mcp-protocol-version': '2025-11-25' };
  const { name, uri } = params as { name?: string; uri?: string };
  const named = name ?? uri;
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(named === undefined ? {} : { 'mcp-name': named }),
  };
}

/** Posts a body unchanged. */
export async function post(
  { app }: Pick<TestApi, 'app'>,
  url: string,
  payload: string,
  headers: Record<string, string>,
): Promise<RpcAnswer> {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    payload,
  });
  const { statusCode: status, body: text, headers: given } = response;
  return { status, headers: given, text, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

export function rpc(api: TestApi, method: string, params: object = {}, options: RpcOptions = {}) {
  const { key = api.fullKey, era = 'older', headers = {} } = options;
  return post(api, '/v1/mcp', JSON.stringify(messageOf(era, method, params)), {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...headersOf(era, method, params),
    ...headers,
  });
}

export interface ToolAnswer {
  isError: boolean;
  text: string;
  // Tests look into answers freely.
  // oxlint-disable-next-line typescript/no-explicit-any
  value: any;
}

/** @throws Error when it is not answered by a result */
export async function callTool(
  api: TestApi,
  name: string,
  args: object = {},
  options: RpcOptions = {},
): Promise<ToolAnswer> {
  const { body, text } = await rpc(api, 'tools/call', { name, arguments: args }, options);
  if (body?.result === undefined) throw new Error(`${name} gave no result: ${text}`);
  const { content, structuredContent, isError = false } = body.result;
  return { isError, text: content[0].text, value: structuredContent };
}
