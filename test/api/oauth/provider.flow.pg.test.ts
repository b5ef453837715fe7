// Connecting a client through OAuth, from its registration to its tokens and their end.
import { describe, expect, it } from 'vitest';
import { findConnectedCaller } from '../../../db/access/connected-clients.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { createKey } from '../../support/rows/factories.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import {
  authorizePath,
  connectNewClient,
  newPkce,
  obtainCode,
  openBrowser,
  REDIRECT_URI,
  registerClient,
  requestTokens,
} from '../../support/api/oauth-browser.ts';

const { api, baseUrl } = await useListeningApi();

const resource = `${baseUrl}/v1/mcp`;
const read = async (path: string) => (await fetch(new URL(path, baseUrl))).json();
const callerOf = (token: string) => findConnectedCaller(api.db, token, resource);

describe('discovery', () => {
  it('lists at both well-known paths all endpoints and what is supported', async () => {
    const metadata = await read('/.well-known/oauth-authorization-server');
    expect(metadata).toMatchObject({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['none'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      scopes_supported: ['mcp:write', 'mcp:read', 'mcp:download'],
    });
    expect(await read('/.well-known/openid-configuration')).toEqual(metadata);
  });

  it('names the authorization server of the MCP server, below its path and at the root', async () => {
    const document = await read('/.well-known/oauth-protected-resource/v1/mcp');
    expect(document).toMatchObject({ resource, authorization_servers: [baseUrl] });
    expect(await read('/.well-known/oauth-protected-resource')).toEqual(document);
  });

  it('does not use the caller’s headers for our address', async () => {
    const response = await fetch(`${baseUrl}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    expect(await response.text()).not.toContain('evil.example');
  });
});

describe('connecting', () => {
  it('issues tokens for the account of the key, with the chosen scope', async () => {
    const tokens = await connectNewClient(baseUrl, {
      key: api.fullKey,
      scope: 'read',
      requested: 'mcp:write mcp:read mcp:download',
    });
    expect(tokens).toMatchObject({ scope: 'mcp:read mcp:download', expires_in: 3_600 });
    const caller = await callerOf(tokens.access_token);
    expect(caller?.principal).toMatchObject({ kind: 'account', accountId: api.accountId, scope: 'read' });
  });

  it('requests the scope read by default', async () => {
    const tokens = await connectNewClient(baseUrl, { key: api.fullKey, scope: 'read' });
    expect(tokens.scope).toBe('mcp:read mcp:download');
  });

  it.each([
    { requested: 'mcp:read', scope: 'download', granted: 'mcp:download' },
    { requested: 'mcp:write', scope: 'read', granted: 'mcp:read mcp:download' },
    { requested: 'openid mcp:write', scope: 'download', granted: 'mcp:download' },
  ] as const)(
    'regression: a client that requests $requested gets $scope if the person chooses it',
    async (choice) => {
      const { requested, scope, granted } = choice;
      const tokens = await connectNewClient(baseUrl, { key: api.fullKey, scope, requested });
      expect(tokens.scope).toBe(granted);
      expect((await callerOf(tokens.access_token))?.principal.scope).toBe(scope);
    },
  );

  it('stores tokens, codes and cookies as hashes only', async () => {
    const tokens = await connectNewClient(baseUrl, { key: api.fullKey, scope: 'read' });
    const [dump] = await rawRows<{ text: string }>(
      api.db,
      'select json_agg(o)::text as text from oauth_objects o',
    );
    expect(dump?.text).not.toContain(tokens.access_token);
    expect(dump?.text).not.toContain(tokens.refresh_token);
    expect(api.logLines.join('')).not.toContain(tokens.access_token);
    expect(api.logLines.join('')).not.toContain(api.fullKey);
  });

  it.each([
    ['a key that does not work', () => Promise.resolve('cat_live_nonsense'), 422],
    ['a key that may only read', async () => (await createKey(api.db, api.accountId, 'read')).value, 422],
  ])('shows the page again for %s', async (_name, keyOf, status) => {
    const clientId = await registerClient(baseUrl, { client_name: '<script>alert(1)</script>' });
    const browser = openBrowser(baseUrl);
    const start = await browser.visit(authorizePath(clientId, newPkce()));
    const page = start.headers.get('location') ?? '';
    const shown = await browser.visit(page);
    expect(shown.text).not.toContain('<script>');
    expect(shown.text).toContain('127.0.0.1:4321');
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const answered = await browser.submit(page, { answer: 'allow', scope: 'read', key: await keyOf() });
    expect(answered.status).toBe(status);
    expect(answered.text).toContain('role="alert"');
  });

  it('sends a refusal back to the client', async () => {
    const clientId = await registerClient(baseUrl);
    const url = await obtainCode(openBrowser(baseUrl), authorizePath(clientId, newPkce()), {
      answer: 'deny',
    });
    expect(url.searchParams.get('error')).toBe('access_denied');
    expect(url.searchParams.get('iss')).toBe(baseUrl);
    expect(url.searchParams.get('state')).toBe('the-state');
  });

  it('refuses answers from another browser and from other sites', async () => {
    const clientId = await registerClient(baseUrl);
    const browser = openBrowser(baseUrl);
    const start = await browser.visit(authorizePath(clientId, newPkce()));
    const page = start.headers.get('location') ?? '';
    const fields = { answer: 'allow', scope: 'read', key: api.fullKey };
    expect((await openBrowser(baseUrl).submit(page, fields)).status).toBe(400);
    const foreign = await browser.visit(page, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams(fields),
    });
    expect(foreign.status).toBe(400);
  });

  it.each([
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['no proof key', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a plain proof key', { code_challenge_method: 'plain' }, 'invalid_request'],
  ])('refuses %s', async (_name, more, error) => {
    const clientId = await registerClient(baseUrl);
    const { headers } = await openBrowser(baseUrl).visit(authorizePath(clientId, newPkce(), more));
    expect(new URL(headers.get('location') ?? '').searchParams.get('error')).toBe(error);
  });

  it('never redirects to an address that was not registered', async () => {
    const clientId = await registerClient(baseUrl);
    const path = authorizePath(clientId, newPkce(), { redirect_uri: 'https://evil.example/callback' });
    const { status, headers } = await openBrowser(baseUrl).visit(path);
    expect(status).toBe(400);
    expect(headers.get('location')).toBeNull();
  });
});

describe('tokens', () => {
  const refresh = (clientId: string, token: string) =>
    requestTokens(baseUrl, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token });

  it('are exchanged for newer ones; late reuse of an old one revokes them all', async () => {
    const first = await connectNewClient(baseUrl, { key: api.fullKey, scope: 'read' });
    const second = await refresh(first.clientId, first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    // The answer may have been lost, so the old one stays valid for a moment.
    expect((await refresh(first.clientId, first.refresh_token)).status).toBe(200);
    await rawRows(api.db, `update oauth_objects set consumed_at = consumed_at - interval '1 minute'`);
    const late = await refresh(first.clientId, first.refresh_token);
    expect(late).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await callerOf(second.body.access_token)).toBeUndefined();
    expect((await refresh(first.clientId, second.body.refresh_token)).status).toBe(400);
  });

  it('are issued once for a code', async () => {
    const clientId = await registerClient(baseUrl);
    const pkce = newPkce();
    const answers = { key: api.fullKey, scope: 'read' };
    const { searchParams } = await obtainCode(openBrowser(baseUrl), authorizePath(clientId, pkce), answers);
    const fields = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: searchParams.get('code') ?? '',
      code_verifier: pkce.verifier,
      redirect_uri: REDIRECT_URI,
    };
    const answered = await Promise.all([1, 2, 3, 4].map(() => requestTokens(baseUrl, fields)));
    expect(answered.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await requestTokens(baseUrl, fields)).status).toBe(400);
  });

  it('are refused for another resource, when expired, and when revoked by their client', async () => {
    const tokens = await connectNewClient(baseUrl, {
      key: api.fullKey,
      scope: 'download',
      requested: 'mcp:download',
    });
    const { access_token: token, clientId } = tokens;
    expect(await findConnectedCaller(api.db, token, 'https://other.example/mcp')).toBeUndefined();
    expect((await callerOf(token))?.principal.scope).toBe('download');
    await rawRows(api.db, `update oauth_objects set expires_at = now() where kind = 'AccessToken'`);
    expect(await callerOf(token)).toBeUndefined();
    const { body } = await refresh(clientId, tokens.refresh_token);
    expect(await callerOf(body.access_token)).toBeDefined();
    await fetch(`${baseUrl}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: body.refresh_token, client_id: clientId }),
    });
    expect(await callerOf(body.access_token)).toBeUndefined();
    expect((await refresh(clientId, body.refresh_token)).status).toBe(400);
  });
});
