// A new user's way from nothing to an answer: a session for a URL, its MCP URL in a client, and a question.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../support/servers/free-port.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { startSystem, type System } from '../../support/servers/system.ts';

/** The time that the product promises, from the first request on. */
const PROMISED_MS = 120_000;

let system: System;
let origin: Origin;

beforeAll(async () => {
  const port = await freePort();
  // BASE_URL has to be the real address, because the client connects to it.
  system = await startSystem({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` });
  origin = await startOrigin();
});
afterAll(async () => {
  await origin.close();
  await system.stop();
});

it('an MCP client that has only the URL of a session gets an answer', { timeout: PROMISED_MS }, async () => {
  origin.set('/prices.csv', { body: 'id,price\na,1\nb,2\n' });
  const { status, body } = await system.call(
    'POST',
    '/v1/sessions',
    { url: `${origin.url}/prices.csv` },
    { prefer: 'wait=30' },
  );
  expect(status).toBe(201);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(String(body['mcpUrl']))));
  const { structuredContent } = await client.callTool({ name: 'get_snapshot_rows', arguments: {} });
  expect(structuredContent).toMatchObject({ rows: [{ data: { id: 'a', price: '1' } }, { key: 'b' }] });
  await client.close();
});
