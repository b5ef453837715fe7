// Attacks: to get another user's tokens, to use another client's name, or to block others.
import { describe, expect, it } from 'vitest';
import { findConnectedCaller } from '../../../db/access/connected-clients.ts';
import { oauthIdHash, pruneOAuthObjects } from '../../../db/access/oauth-objects.ts';
import { createAccount, createKey } from '../../support/rows/factories.ts';
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

const callerOf = (token: string) => findConnectedCaller(api.db, token, `${baseUrl}/v1/mcp`);
const answers = () => ({ key: api.fullKey, scope: 'read' });

const register = (metadata: object) =>
  fetch(`${baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://page.example' },
    body: JSON.stringify({ client_name: 'A client', redirect_uris: [REDIRECT_URI], ...metadata }),
  });

async function obtain(more: Record<string, string> = {}) {
  const clientId = await registerClient(baseUrl);
  const pkce = newPkce();
  const back = await obtainCode(openBrowser(baseUrl), authorizePath(clientId, pkce, more), answers());
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: back.searchParams.get('code') ?? '',
    code_verifier: pkce.verifier,
    redirect_uri: REDIRECT_URI,
  };
}

/** The consent page. */
async function pageOf(path: string, browser = openBrowser(baseUrl)) {
  const start = await browser.visit(path);
  const url = start.headers.get('location') ?? '';
  return { start, url, ...(await browser.visit(url)) };
}

describe('a registration', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `https://client.example/${at}`);
  it.each([
    ['javascript:', { redirect_uris: ['JavaScript:alert(1)'] }],
    ['data:', { redirect_uris: ['data:text/html,x'] }],
    ['plain http elsewhere', { redirect_uris: ['http://evil.example/'] }],
    [
      'plain http elsewhere, for the web',
      { application_type: 'web', redirect_uris: ['http://evil.example/'] },
    ],
    ['a fragment', { redirect_uris: ['https://client.example/#part'] }],
    ['a user name that looks like a host', { redirect_uris: ['https://claude.ai@evil.example/'] }],
    ['a NUL', { redirect_uris: ['https://client.example/\u0000'] }],
    ['a NUL in its name', { client_name: 'a\u0000b' }],
    ['half a character in its name', { client_name: 'a\ud800b' }],
    ['a long name', { client_name: 'x'.repeat(6_000) }],
    ['a name of 10 MB', { client_name: 'x'.repeat(10_000_000) }],
    ['300 addresses', { redirect_uris: many(300) }],
    ['10,000 addresses', { redirect_uris: many(10_000) }],
    ['a key of its own', { token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'a scheme that any app may have',
      { redirect_uris: ['myapp://callback', 'cursor://host.name/callback'] },
    ],
    ['tokens without a code', { response_types: ['token'] }],
    ['tokens of its own', { grant_types: ['client_credentials'] }],
  ])('is refused for %s', async (_name, metadata) => {
    const response = await register(metadata);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) });
  });

  it('stores what is used, fetches nothing, and limits the client to no scope', async () => {
    const response = await register({
      scope: 'openid offline_access',
      logo_uri: 'https://client.example/logo.png',
      jwks_uri: 'https://127.0.0.1/keys',
      sector_identifier_uri: 'https://127.0.0.1/sector',
    });
    expect(response.status).toBe(201);
    const { client_id: id } = (await response.json()) as { client_id: string };
    const stored = await api
      .db('oauth_objects')
      .where({ idHash: oauthIdHash(id) })
      .first('payload');
    expect(Object.keys(stored.payload)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/uri$|^scope$/)]),
    );
    const page = await pageOf(authorizePath(id, newPkce(), { scope: 'mcp:write' }));
    expect(page.text).toContain('mcp:write');
  });

  it.each(['client_secret_post', 'client_secret_basic', 'client_secret_jwt'])(
    'regression: that asks for %s is told that it has no secret and needs none',
    async (token_endpoint_auth_method) => {
      const response = await register({ token_endpoint_auth_method });
      const answer = (await response.json()) as { client_id: string };
      expect([response.status, answer]).toEqual([
        201,
        expect.objectContaining({ token_endpoint_auth_method: 'none' }),
      ]);
      expect(Object.keys(answer)).not.toEqual(expect.arrayContaining([expect.stringContaining('secret')]));
      const pkce = newPkce();
      const path = authorizePath(answer.client_id, pkce);
      const { searchParams } = await obtainCode(openBrowser(baseUrl), path, answers());
      const { status } = await requestTokens(baseUrl, {
        grant_type: 'authorization_code',
        client_id: answer.client_id,
        code: searchParams.get('code') ?? '',
        code_verifier: pkce.verifier,
        redirect_uri: REDIRECT_URI,
      });
      expect(status).toBe(200);
    },
  );

  it('regression: drops addresses whose scheme any app may have', async () => {
    const kept = [
      'https://client.example/callback',
      'http://localhost:8787/callback',
      'com.example.app:/callback',
    ];
    const response = await register({ redirect_uris: ['cursor://host.name/callback', ...kept] });
    const { client_id: id, redirect_uris } = (await response.json()) as Record<string, string>;
    expect([response.status, redirect_uris]).toEqual([201, kept]);
    const path = authorizePath(id ?? '', newPkce(), { redirect_uri: 'cursor://host.name/callback' });
    expect((await openBrowser(baseUrl).visit(path)).status).toBe(400);
  });

  it('can be pruned, whatever it contains', async () => {
    await registerClient(baseUrl, { client_name: '🧪 “a” & <b>' });
    await api
      .db('oauth_objects')
      .where({ kind: 'Client' })
      .update({ createdAt: new Date(0) });
    expect(await pruneOAuthObjects(api.db, 100)).toBeGreaterThan(0);
  });
});

describe('the page', () => {
  it('names the redirect’s host, and runs no script that a client can put there', async () => {
    const clientId = await registerClient(baseUrl, {
      client_name: '"><img src=x onerror=alert(1)>',
      redirect_uris: ['com.evil://claude.ai/callback'],
    });
    const path = authorizePath(clientId, newPkce(), {
      redirect_uri: 'com.evil://claude.ai/callback',
      state: '"><script>',
    });
    const { text, headers } = await pageOf(path);
    expect(text).toContain('the app for com.evil: links');
    expect(text).not.toMatch(/claude\.ai|<img|<script/);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each(['', 'openid', 'openid offline_access'])(
    'has a choice for a client that asks for “%s”',
    async (scope) => {
      const { text } = await pageOf(authorizePath(await registerClient(baseUrl), newPkce(), { scope }));
      expect(text).toMatch(/type="radio" name="scope" value="read"/);
    },
  );

  it.each<Record<string, string>>([
    { scope: 'openid' },
    { scope: 'openid mcp:read' },
    { scope: 'openid offline_access profile mcp:read', prompt: 'consent' },
    { prompt: 'login' },
    { prompt: 'select_account' },
    { max_age: '0' },
    { acr_values: 'high', claims: '{"id_token":{"acr":{"essential":true,"values":["high"]}}}' },
  ])('regression: is shown once to a client that sends OpenID parameters: %j', async (more) => {
    const { status, body } = await requestTokens(baseUrl, await obtain(more));
    expect([status, body.scope]).toEqual([200, expect.stringMatching(/^mcp:read( mcp:download)?$/)]);
  });

  it('grants no wider scope than requested', async () => {
    const browser = openBrowser(baseUrl);
    const path = authorizePath(await registerClient(baseUrl), newPkce(), { scope: 'mcp:read' });
    const { url } = await pageOf(path, browser);
    const answered = await browser.submit(url, { answer: 'allow', key: api.fullKey, scope: 'full' });
    expect(answered.status).toBe(422);
  });

  it('redirects without consent to no address that anyone may have registered', async () => {
    const redirect_uri = 'https://evil.example/callback';
    const clientId = await registerClient(baseUrl, { redirect_uris: [redirect_uri] });
    for (const more of [{ prompt: 'none' }, { code_challenge: '' }, { resource: 'https://other.example/' }]) {
      const path = authorizePath(clientId, newPkce(), { redirect_uri, ...more });
      const { status, headers, text } = await openBrowser(baseUrl).visit(path);
      expect([status, headers.get('location')]).toEqual([400, null]);
      expect(text).toContain('Go back to evil.example');
      expect(text).toContain('href="https://evil.example/callback?error=');
    }
  });

  it.each(['/Callback', '/callback?x=1', '/callback#x', '/callback/../callback', '//callback'])(
    'takes no address that only looks like a registered one: %s',
    async (end) => {
      const redirect_uri = `http://127.0.0.1:4321${end}`;
      const path = authorizePath(await registerClient(baseUrl), newPkce(), { redirect_uri });
      const { status, headers } = await openBrowser(baseUrl).visit(path);
      expect([status, headers.get('location')]).toEqual([400, null]);
    },
  );

  it('keeps the whole query of a client, question marks included', async () => {
    const clientId = await registerClient(baseUrl);
    const path =
      authorizePath(clientId, newPkce()).replace('state=the-state', 'state=a?b') + '&scope=mcp:read';
    const back = await obtainCode(openBrowser(baseUrl), path, answers());
    expect(back.searchParams.get('state')).toBe('a?b');
  });
});

describe('a code', () => {
  it('is useless to another client, with another proof, or at another address', async () => {
    const fields = await obtain();
    const other = await registerClient(baseUrl);
    for (const wrong of [
      { client_id: other },
      { code_verifier: newPkce().verifier },
      { code_verifier: '' },
      { redirect_uri: 'http://127.0.0.1:4322/callback' },
      { resource: 'https://other.example/mcp' },
    ]) {
      const { status } = await requestTokens(baseUrl, { ...fields, ...wrong });
      expect([wrong, status]).toEqual([wrong, 400]);
    }
  });

  it('works once in a race, and its tokens are revoked', async () => {
    const fields = await obtain();
    const answered = await Promise.all(Array.from({ length: 8 }, () => requestTokens(baseUrl, fields)));
    const good = answered.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    const { access_token = '', refresh_token = '' } = good[0]?.body ?? {};
    expect(await callerOf(access_token)).toBeUndefined();
    const again = { grant_type: 'refresh_token', client_id: fields.client_id, refresh_token };
    expect((await requestTokens(baseUrl, again)).status).toBe(400);
  });

  it('that is used again later revokes its tokens', async () => {
    const fields = await obtain();
    const { body } = await requestTokens(baseUrl, fields);
    expect(await callerOf(body.access_token)).toBeDefined();
    expect((await requestTokens(baseUrl, fields)).status).toBe(400);
    expect(await callerOf(body.access_token)).toBeUndefined();
  });
});

describe('a token', () => {
  it('has one use: a code or refresh token is not accepted as an access token', async () => {
    const fields = await obtain();
    expect(await callerOf(fields.code)).toBeUndefined();
    const { body } = await requestTokens(baseUrl, fields);
    expect(await callerOf(body.refresh_token)).toBeUndefined();
    const swapped = { grant_type: 'refresh_token', client_id: fields.client_id };
    expect((await requestTokens(baseUrl, { ...swapped, refresh_token: body.access_token })).status).toBe(400);
  });

  it('never gets a wider scope or another client', async () => {
    const tokens = await connectNewClient(baseUrl, { ...answers(), requested: 'mcp:read' });
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const wider = { ...refresh, client_id: tokens.clientId, scope: 'mcp:read mcp:write' };
    expect(await requestTokens(baseUrl, wider)).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    const other = await registerClient(baseUrl);
    expect((await requestTokens(baseUrl, { ...refresh, client_id: other })).status).toBe(400);
    await fetch(`${baseUrl}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: tokens.refresh_token, client_id: other }),
    });
    expect(await callerOf(tokens.access_token)).toBeDefined();
  });

  it('outlives the key that was entered, and cannot access another account', async () => {
    const { id, value: key } = await createKey(api.db, api.accountId, 'full');
    const tokens = await connectNewClient(baseUrl, { key, scope: 'read' });
    expect((await api.call('DELETE', `/v1/apikeys/${id}`)).status).toBe(204);
    const caller = await callerOf(tokens.access_token);
    expect(caller).toBeDefined();
    const stranger = await createKey(api.db, await createAccount(api.db), 'full');
    const path = `/v1/connectedclients/${caller?.principal.credentialId ?? ''}`;
    expect((await api.call('DELETE', path, { key: stranger.value })).status).toBe(404);
  });
});

describe('the routes', () => {
  it('answer wrong methods like the rest of the API', async () => {
    for (const [method, path, allow] of [
      ['GET', '/oauth/token', 'POST'],
      ['DELETE', '/oauth/register', 'POST'],
      ['POST', '/oauth/authorize', 'GET, HEAD'],
      ['PUT', '/oauth/interaction/abc', 'GET, HEAD, POST'],
      ['PATCH', '/.well-known/oauth-authorization-server', 'GET, HEAD'],
    ] as const) {
      const { status, headers } = await fetch(`${baseUrl}${path}`, { method });
      const type = headers.get('content-type');
      expect([path, status, headers.get('allow'), type]).toEqual([
        path,
        405,
        allow,
        'application/problem+json; charset=utf-8',
      ]);
    }
  });

  it('are open to clients in web pages, without cookies', async () => {
    for (const path of [
      '/oauth/register',
      '/oauth/token',
      '/oauth/revoke',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/v1/mcp',
    ]) {
      const { status, headers } = await fetch(`${baseUrl}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://page.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type, mcp-protocol-version',
        },
      });
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-allow-headers')).toContain('MCP-Protocol-Version');
    }
    expect((await register({})).headers.get('access-control-allow-origin')).toBe('*');
    const page = await fetch(`${baseUrl}/oauth/interaction/abc`, {
      headers: { origin: 'https://page.example' },
    });
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('set cookies that no script can read and no other site sends', async () => {
    const browser = openBrowser(baseUrl);
    const { start } = await pageOf(authorizePath(await registerClient(baseUrl), newPkce()), browser);
    const cookies = start.headers.getSetCookie();
    expect(cookies).not.toHaveLength(0);
    for (const cookie of cookies) expect(cookie).toMatch(/path=\/oauth\/.*samesite=lax; httponly$/);
  });

  it('log no codes, keys or queries', async () => {
    const fields = await obtain({ state: 'the-secret-state' });
    const { body } = await requestTokens(baseUrl, fields);
    const log = api.logLines.join('');
    for (const secret of [
      fields.code,
      fields.code_verifier,
      body.access_token,
      body.refresh_token,
      api.fullKey,
    ]) {
      expect(log).not.toContain(secret);
    }
    expect(log).not.toContain('the-secret-state');
    expect(log).toContain('"path":"/oauth/token"');
  });
});
