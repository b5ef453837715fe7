// MCP clients that connect through OAuth: third-party client code, the permissions of tokens, and their end.
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { commitRows, createAccount, createTestRecord } from '../../support/rows/factories.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { connectNewClient, obtainCode, openBrowser, REDIRECT_URI } from '../../support/api/oauth-browser.ts';

const { api, baseUrl } = await useListeningApi();
const mcpUrl = new URL('/v1/mcp', baseUrl);
let record: string;
beforeAll(async () => {
  record = await createTestRecord(api.db, api.accountId);
});

/** Stores in memory what a client stores, and the address to which it sends its user. */
class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = { client_name: 'A test client', redirect_uris: [REDIRECT_URI] };
  authorizationUrl: URL | undefined;
  #client: OAuthClientInformationFull | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationFull) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens) => void (this.#tokens = tokens);
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
}

async function connect(provider: MemoryProvider): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(mcpUrl, { authProvider: provider }));
  return client;
}

it('the SDK’s client connects without help: challenge, metadata, registration, code, tokens, refresh', async () => {
  const provider = new MemoryProvider();
  await expect(connect(provider)).rejects.toThrow(UnauthorizedError);
  const { pathname, search } = provider.authorizationUrl ?? new URL(baseUrl);
  const back = await obtainCode(openBrowser(baseUrl), `${pathname}${search}`, {
    key: api.fullKey,
    scope: 'read',
  });
  const transport = new StreamableHTTPClientTransport(mcpUrl, { authProvider: provider });
  await transport.finishAuth(back.searchParams.get('code') ?? '');
  const list = async () => {
    const client = await connect(provider);
    const { structuredContent } = await client.callTool({ name: 'list_sources', arguments: {} });
    await client.close();
    return structuredContent;
  };
  expect(await list()).toMatchObject({ sources: [{ id: record }] });
  const before = provider.tokens()?.access_token;
  await api
    .db('oauth_objects')
    .where({ kind: 'AccessToken' })
    .update({ expiresAt: new Date(0) });
  expect(await list()).toMatchObject({ sources: [{ id: record }] });
  expect(provider.tokens()?.access_token).not.toBe(before);
});

const call = (token: string, method: string, params: object = {}, url: URL = mcpUrl) =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

const tool = (token: string, name: string, args: object = {}) =>
  call(token, 'tools/call', { name, arguments: args });

async function disconnect(clientId: string): Promise<string> {
  const { body } = await api.call('GET', '/v1/connectedclients');
  const { id } = body.connectedClients.find((client: { clientId: string }) => client.clientId === clientId);
  expect((await api.call('DELETE', `/v1/connectedclients/${id}`)).status).toBe(204);
  return id;
}

describe('an access token', () => {
  it('reaches the account’s records by id and slug, and no other record', async () => {
    const { access_token: token } = await connectNewClient(baseUrl, { key: api.fullKey, scope: 'read' });
    expect(await (await tool(token, 'get_source', { source: record })).text()).toContain(record);
    const foreign = await createTestRecord(api.db, await createAccount(api.db));
    const refused = await (await tool(token, 'get_source', { source: foreign })).text();
    expect(refused).toContain('not_found');
  });

  it('lists the permitted tools; others are refused with the scope to request', async () => {
    const { access_token: token } = await connectNewClient(baseUrl, { key: api.fullKey, scope: 'read' });
    expect(await (await call(token, 'tools/list')).text()).not.toContain('create_source');
    const refused = await tool(token, 'create_source', { url: 'https://example.com/a.csv' });
    expect(refused.status).toBe(403);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="mcp:write"');
    expect(challenge).toContain(`resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/v1/mcp"`);
  });

  it('is not accepted by the REST API or in a URL', async () => {
    const { access_token: token } = await connectNewClient(baseUrl, { key: api.fullKey, scope: 'read' });
    expect((await api.call('GET', '/v1/sources', { key: token })).status).toBe(401);
    const inUrl = await fetch(`${mcpUrl.href}?token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(inUrl.status).toBe(401);
    expect(await inUrl.text()).not.toContain(token);
  });

  it('stops working when its client is disconnected', async () => {
    const { access_token: token, clientId } = await connectNewClient(baseUrl, {
      key: api.fullKey,
      scope: 'read',
    });
    expect((await call(token, 'tools/list')).status).toBe(200);
    const id = await disconnect(clientId);
    expect((await call(token, 'tools/list')).status).toBe(401);
    expect((await api.call('DELETE', `/v1/connectedclients/${id}`)).status).toBe(404);
  });

  it('that is unknown is refused as invalid', async () => {
    const refused = await call('x'.repeat(43), 'tools/list');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

describe('regression: a download link that a connected client made', () => {
  async function makeLink() {
    const source = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, source, { a: '{"id":"a","price":1}' });
    const { access_token: token, clientId } = await connectNewClient(baseUrl, {
      key: api.fullKey,
      scope: 'download',
      requested: 'mcp:download',
    });
    const text = await (await tool(token, 'get_download_link', { source })).text();
    const [url = ''] = /http[^"\\]+\/v1\/downloads\?token=[\w.-]+/.exec(text) ?? [text];
    return { source, clientId, follow: () => fetch(url) };
  }

  it('works until the client is disconnected', async () => {
    const { clientId, follow } = await makeLink();
    const followed = await follow();
    expect([followed.status, await followed.text()]).toEqual([200, 'id,price\na,1\n']);
    await disconnect(clientId);
    expect((await follow()).status).toBe(410);
  });

  it('ends when its record moves out of the client’s reach', async () => {
    const { source, follow } = await makeLink();
    expect((await follow()).status).toBe(200);
    await api
      .db('records')
      .where({ id: source })
      .update({ accountId: await createAccount(api.db) });
    expect((await follow()).status).toBe(410);
  });
});
