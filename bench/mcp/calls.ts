// A tool call as autocannon sends it, in either protocol era.

export const ERAS = ['older', 'newer'] as const;
export type Era = (typeof ERAS)[number];

const TOOL = 'get_latest_delta';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const HEADERS: Record<Era, Record<string, string>> = {
  older: { 'mcp-protocol-version': '2025-11-25' },
  newer: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': TOOL },
};

export interface ToolCall {
  method: 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
}

export function toolCall(era: Era, path: string, source: string, apiKey: string): ToolCall {
  const params = {
    name: TOOL,
    arguments: { source },
    ...(era === 'newer' ? { _meta: META } : {}),
  };
  return {
    method: 'POST',
    path,
    headers: {
      ...HEADERS[era],
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}
