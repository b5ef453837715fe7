// OAuth clients identified by their own metadata document, honest and hostile ones. The real API fetches it over https.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SELF_SIGNED } from '../../activities/fetch/self-signed.ts';
import { createKey } from '../../support/rows/factories.ts';
import { freePort } from '../../support/servers/free-port.ts';
import {
  authorizePath,
  newPkce,
  obtainCode,
  openBrowser,
  REDIRECT_URI,
} from '../../support/api/oauth-browser.ts';
import { startSystem, type System } from '../../support/servers/system.ts';

const home = mkdtempSync(join(tmpdir(), 'recordwatch-documents-'));
const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const asked: string[] = [];
let system: System;
let key: string;
let host: string;

const server = createServer(SELF_SIGNED, ({ url = '' }, response) => {
  asked.push(url);
  if (url === '/slow') return;
  if (url === '/moved') response.writeHead(302, { location: '/good' });
  const fields = { client_id: `${host}${url}`, client_name: 'By document', redirect_uris: [REDIRECT_URI] };
  const bodies: Readonly<Record<string, unknown>> = {
    '/wrong-id': { ...fields, client_id: `${host}/good` },
    '/elsewhere': { ...fields, redirect_uris: ['https://evil.example/callback'] },
    '/large': { ...fields, more: 'x'.repeat(100_000) },
    '/secret': { ...fields, client_secret: 'secret' },
    '/list': [fields],
  };
  const body = url === '/words' ? 'no JSON' : JSON.stringify(bodies[url] ?? fields);
  response.end(body);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an AddressInfo.
  host = `https://localhost:${(server.address() as AddressInfo).port}`;
  const certificate = join(home, 'ca.pem');
  writeFileSync(certificate, SELF_SIGNED.cert);
  system = await startSystem({ PORT: String(port), BASE_URL: baseUrl, NODE_EXTRA_CA_CERTS: certificate });
  ({ value: key } = await createKey(system.database.db, system.accountId, 'full'));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await system.stop();
  rmSync(home, { recursive: true, force: true });
});

class DocumentProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = { redirect_uris: [REDIRECT_URI] };
  readonly clientMetadataUrl = `${host}/good`;
  authorizationUrl: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens) => void (this.#tokens = tokens);
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
}

it('accepts the SDK’s client by its document, and the consent page names its host', async () => {
  const authProvider = new DocumentProvider();
  const open = () => new StreamableHTTPClientTransport(new URL('/v1/mcp', baseUrl), { authProvider });
  const client = new Client({ name: 'test', version: '1' });
  await expect(client.connect(open())).rejects.toThrow(UnauthorizedError);
  const { pathname, search, searchParams } = authProvider.authorizationUrl ?? new URL(baseUrl);
  expect(searchParams.get('client_id')).toBe(`${host}/good`);
  const browser = openBrowser(baseUrl);
  const start = await browser.visit(`${pathname}${search}`);
  const page = await browser.visit(start.headers.get('location') ?? '');
  expect(page.text).toContain(new URL(host).host);
  const back = await obtainCode(openBrowser(baseUrl), `${pathname}${search}`, { key, scope: 'read' });
  await open().finishAuth(back.searchParams.get('code') ?? '');
  const connected = new Client({ name: 'test', version: '1' });
  await connected.connect(open());
  expect((await connected.listTools()).tools.length).toBeGreaterThan(0);
  await connected.close();
});

it.each(['/wrong-id', '/elsewhere', '/large', '/slow', '/words', '/list', '/secret', '/moved'])(
  'rejects a client with the document %s',
  async (path) => {
    asked.length = 0;
    const visit = authorizePath(`${host}${path}`, newPkce());
    const { status, headers } = await openBrowser(baseUrl).visit(visit);
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(new Set(asked)).toEqual(new Set([path]));
  },
  20_000,
);

it('fetches no document from a forbidden address', async () => {
  const visit = authorizePath('https://10.0.0.1/document', newPkce());
  expect((await openBrowser(baseUrl).visit(visit)).status).toBe(400);
});
