import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { addUser } from '../../../api/auth/new-user.ts';
import { useApi } from '../../support/api/api.ts';
import { newEmail, newUser, signInByLink } from '../../support/api/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
const SCRIPT = `export const answer = ${'4'.repeat(200)};\n`;
const PAGE = '<!doctype html><meta name="style-nonce" content="STYLE_NONCE" /><script src="/x.js"></script>';

mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), PAGE);
writeFileSync(join(folder, '.source-hash'), 'not to be read');
writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg" />');
writeFileSync(join(folder, 'assets', 'page-Ab_1-x.js'), SCRIPT);
writeFileSync(join(folder, 'assets', 'page-Ab_1-x.js.br'), brotliCompressSync(SCRIPT));
writeFileSync(join(folder, 'assets', 'page-Ab_1-x.js.gz'), gzipSync(SCRIPT));
afterAll(() => rmSync(folder, { recursive: true }));

const temporalUiUrl = 'http://temporal.example:8233';
const baseUrl = 'https://watch.example';
const operator = newEmail();
const api = useApi(
  {
    baseUrl,
    temporalUiUrl,
    temporalNamespace: 'watching',
    operatorEmails: [operator, newEmail()],
    minCheckSeconds: 120,
  },
  { dashboardFolder: folder },
);
const bare = useApi({ baseUrl, operatorEmails: [operator] }, { dashboardFolder: join(folder, 'not-built') });
const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
const asset = '/dashboard/assets/page-Ab_1-x.js';

describe('the page of the dashboard', () => {
  it.each(['', 'records', 'records/my.slug/changes', 'index.html', 'a//b', '..%2f..%2fetc', '.source-hash'])(
    'is at /dashboard/%s under a policy that allows only our own files',
    async (path) => {
      const { statusCode, headers, body } = await api.app.inject(`/dashboard/${path}`);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      });
      const [, nonce = ''] = / content="([^"]+)"/.exec(body) ?? [];
      expect(nonce).toMatch(/^[\w+/]{24}$/);
      expect(body).toBe(PAGE.replace('STYLE_NONCE', nonce));
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
          "connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
      );
    },
  );

  it('has a new nonce each time', async () => {
    const policies = await Promise.all(
      Array.from({ length: 20 }, async () => (await api.app.inject('/dashboard/')).headers),
    );
    expect(new Set(policies.map((headers) => headers['content-security-policy'])).size).toBe(20);
  });

  it('is found without the slash, and accepts no other methods', async () => {
    const { statusCode, headers } = await api.app.inject('/dashboard');
    expect([statusCode, headers.location]).toEqual([308, 'dashboard/']);
    expect((await api.app.inject({ method: 'HEAD', url: '/dashboard/records' })).statusCode).toBe(200);
    expect((await api.app.inject({ method: 'POST', url: '/dashboard/records' })).statusCode).toBe(405);
  });

  it('says how to build it if it is not built', async () => {
    const { statusCode, headers, body } = await bare.app.inject('/dashboard/records');
    expect(statusCode).toBe(503);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain('npm run build');
    expect((await bare.app.inject(asset)).statusCode).toBe(404);
  });
});

describe('the files of the dashboard', () => {
  it('are cached without a limit if their names depend on their content', async () => {
    const { statusCode, headers, body } = await api.app.inject(asset);
    expect([statusCode, body]).toEqual([200, SCRIPT]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('are sent as the build compressed them: %s', async (encoding, decompress) => {
    const answer = await api.app.inject({ url: asset, headers: { 'accept-encoding': encoding } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
    expect(answer.headers['vary']).toMatch(/accept-encoding/i);
    expect(decompress(answer.rawPayload).toString()).toBe(SCRIPT);
  });

  it('are revalidated otherwise, and sent when they have changed', async () => {
    const { headers } = await api.app.inject('/dashboard/icon.svg');
    expect(headers['cache-control']).toBe('public, no-cache');
    expect(headers['content-type']).toContain('image/svg+xml');
    const again = await api.app.inject({
      url: '/dashboard/icon.svg',
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it.each([
    '/dashboard/assets/gone-1.js',
    '/dashboard/gone.js',
    '/dashboard/assets/',
    '/dashboard/assets/.x',
  ])('are a problem, not the page, when they do not exist: %s', async (url) => {
    const { statusCode, headers } = await api.app.inject(url);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each([
    '..%2findex.html',
    '..%2f.source-hash',
    '..%5c.source-hash',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '%00',
    'a/b.js',
  ])('cannot be found outside of their folder: assets/%s', async (path) => {
    const { statusCode, body } = await api.app.inject(`/dashboard/assets/${path}`);
    expect(statusCode).toBe(404);
    expect(JSON.parse(body).code).toBe('not_found');
  });
});

describe('the settings of the page', () => {
  it('contain the address of the API', async () => {
    const { body } = await api.app.inject('/dashboard/settings.json');
    expect(JSON.parse(body)).toMatchObject({ baseUrl });
  });

  it("regression: do not contain the address of Temporal's UI, which only operators get", async () => {
    const signIn = async (at: typeof api, email: string) =>
      signInByLink(at, await addUser(at.db, { accountId: at.accountId, email, name: 'Ada' }));
    const operators = await signIn(api, operator);
    const strangers = await signInByLink(api, (await newUser(api)).user);
    const withoutUi = await signIn(bare, operator);
    const whoAmI = async ({ get }: typeof operators) => (await get('/auth/get-session')).body;
    expect(await whoAmI(operators)).toMatchObject({
      user: { email: operator },
      temporalUi: { url: temporalUiUrl, namespace: 'watching' },
    });
    expect(await whoAmI(strangers)).toMatchObject({ user: {}, temporalUi: null });
    expect(await whoAmI(withoutUi)).toMatchObject({ user: {}, temporalUi: null });
    for (const { body } of [
      await api.call('GET', '/dashboard/settings.json', { key: null }),
      await strangers.get('/dashboard/settings.json'),
      await strangers.get('/auth/get-session'),
      await api.call('GET', '/auth/get-session', { key: null }),
    ]) {
      expect(JSON.stringify(body)).not.toMatch(/temporal\.example|watching/);
    }
  });

  it('contain the smallest interval of each tier, lower if the operator allows it', async () => {
    const seconds = async ({ app }: typeof api): Promise<unknown> =>
      JSON.parse((await app.inject('/dashboard/settings.json')).body).smallestIntervalSeconds;
    expect(await seconds(bare)).toEqual({ anonymous: 3600, free: 3600, watch: 300, max: 60 });
    expect(await seconds(api)).toEqual({ anonymous: 120, free: 120, watch: 120, max: 60 });
  });
});

describe('the root route', () => {
  it('redirects a browser to the dashboard, or to the reference without one', async () => {
    const { headers } = await api.app.inject({ url: '/', headers: { accept } });
    expect(headers).toMatchObject({ location: 'dashboard/', vary: 'Accept' });
    expect((await bare.app.inject({ url: '/', headers: { accept } })).headers.location).toBe('docs');
    expect((await api.app.inject({ url: '/', headers: { accept: '*/*' } })).headers.location).toBe('docs');
  });
});
