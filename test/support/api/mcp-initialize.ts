// Sends the first request of an MCP client, to test whether an address accepts it.

/** @returns the status and text of the answer */
export async function initialize(
  url: string,
  headers: Record<string, string> = {},
): Promise<[number, string]> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  return [answer.status, await answer.text()];
}
