// From nothing to an answer, as a new user gets there: a session for a URL, its MCP URL pasted into a client, a question.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type Origin, startOrigin } from '../support/origin-server.ts';
import { startSystem, type System } from '../support/system.ts';

/** What the product promises, from the first request on. */
const PROMISED_MS = 120_000;

let system: System;
let origin: Origin;

beforeAll(async () => {
  const port = await freePort();
  // Where it says that it is, because a client goes there.
  system = await startSystem({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` });
  origin = await startOrigin();
});
afterAll(async () => {
  await origin.close();
  await system.stop();
});

it(
  'answers over the MCP URL of a session, which is all that a client is given',
  { timeout: PROMISED_MS },
  async () => {
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
  },
);
