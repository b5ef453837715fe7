// Redirects on the way to a body: every hop is validated, and no secret leaves its origin.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockAgent } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchBody, type FetchOptions } from '../../../activities/fetch/fetch-body.ts';
import { openOrigin } from '../../../activities/fetch/open-origin.ts';
import { CHECK_ERRORS } from '../../../core/errors.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';

const GUARD = { allowed: parseAllowedNetworks(['127.0.0.1']), resolve: () => Promise.resolve(['10.0.0.1']) };

let origin: Origin;
let other: Origin;
let folder: string;

beforeAll(async () => {
  [origin, other] = await Promise.all([startOrigin(), startOrigin()]);
  folder = await mkdtemp(join(tmpdir(), 'redirects-'));
});

afterAll(async () => {
  await Promise.all([origin.close(), other.close()]);
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  origin.requests.length = 0;
  other.requests.length = 0;
  origin.set('/end', { body: 'a,b\n1,2\n' });
  other.set('/end', { body: 'a,b\n3,4\n' });
});

function fetchPath(path: string, options: Partial<FetchOptions> = {}) {
  return fetchBody({
    url: origin.url + path,
    guard: GUARD,
    userAgent: 'Recordwatch/1',
    folder,
    maxBytes: 1e6,
    ...options,
  });
}

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('with status %d are followed with GET', async (status) => {
    origin.set('/start', { status, redirectTo: '/end?x=1#part' });
    await expect(fetchPath('/start')).resolves.toMatchObject({
      status: 'ok',
      finalUrl: `${origin.url}/end?x=1`,
    });
    expect(origin.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /start',
      'GET /end?x=1',
    ]);
  });

  it('are followed at most five times in a row', async () => {
    for (let hop = 1; hop <= 6; hop += 1)
      origin.set(`/${hop}`, { redirectTo: hop === 6 ? '/end' : `/${hop + 1}` });
    await expect(fetchPath('/2')).resolves.toMatchObject({ status: 'ok' });
    origin.requests.length = 0;
    await expect(fetchPath('/1')).rejects.toMatchObject({ code: 'too_many_redirects' });
    expect(origin.requests).toHaveLength(6);
  });

  it('in a circle fail', async () => {
    origin.set('/round', { redirectTo: '/round' });
    await expect(fetchPath('/round')).rejects.toMatchObject({ code: 'too_many_redirects' });
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://2852039166/',
    'http://public.example:6379/',
    'http://user:pw@127.0.0.1/',
    '//10.0.0.1/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ftp://127.0.0.1/',
    'http://[',
  ])('to %s are refused', async (redirectTo) => {
    origin.set('/start', { redirectTo });
    await expect(fetchPath('/start')).rejects.toMatchObject({ code: 'redirect_not_allowed' });
    expect(await readdir(folder)).not.toContain('start');
  });

  it.each(['the record’s URL', 'a redirect'])(
    'to a name that resolves to a private address fail as if nothing answered there: %s',
    async (by) => {
      const inside = 'http://resolves-inside.example/';
      origin.set('/start', { redirectTo: inside });
      const given = by === 'a redirect' ? {} : { url: inside };
      await expect(fetchPath('/start', given)).rejects.toMatchObject({
        code: 'origin_unreachable',
        message: CHECK_ERRORS.origin_unreachable,
      });
    },
  );

  it('from https to http are refused, to https followed', async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    const secure = mock.get('https://127.0.0.1');
    secure.intercept({ path: '/down' }).reply(302, '', { headers: { location: 'http://127.0.0.1/x' } });
    mock
      .get('http://127.0.0.1')
      .intercept({ path: '/up' })
      .reply(302, '', { headers: { location: 'https://127.0.0.1/end' } });
    secure.intercept({ path: '/end' }).reply(200, 'a');
    const open = (url: string) =>
      openOrigin({ url, guard: GUARD, userAgent: 'Recordwatch/1' }, mock, new AbortController().signal);
    await expect(open('https://127.0.0.1/down')).rejects.toMatchObject({ code: 'redirect_not_allowed' });
    await expect(open('http://127.0.0.1/up')).resolves.toMatchObject({ finalUrl: 'https://127.0.0.1/end' });
  });
});

describe('source credentials', () => {
  const credentials = {
    headers: { authorization: 'Bearer s3cret', 'x-api-key': 's3cret' },
    query: { name: 'api key', value: 's3cret&=' },
  };

  it('go to their own origin on every hop, and never into the final URL', async () => {
    origin.set('/start', { redirectTo: '/end?a=%2F' });
    const result = await fetchPath('/start', { credentials });
    expect(result.finalUrl).toBe(`${origin.url}/end?a=%2F`);
    expect(origin.requests.map(({ path }) => path)).toEqual([
      '/start?api%20key=s3cret%26%3D',
      '/end?a=%2F&api%20key=s3cret%26%3D',
    ]);
    for (const { headers } of origin.requests) expect(headers).toMatchObject(credentials.headers);
  });

  it('do not go to another origin', async () => {
    origin.set('/start', { redirectTo: `${other.url}/end` });
    await fetchPath('/start', { credentials });
    expect(other.requests).toHaveLength(1);
    expect(JSON.stringify(other.requests)).not.toContain('s3cret');
  });

  it('regression: are not sent again when a redirect returns to their origin from another one', async () => {
    origin.set('/start', { redirectTo: `${other.url}/back` });
    other.set('/back', { redirectTo: `${origin.url}/again` });
    origin.set('/again', { redirectTo: '/end' });
    await fetchPath('/start', { credentials });
    const [first, ...later] = [...origin.requests, ...other.requests];
    expect(first?.headers).toMatchObject(credentials.headers);
    expect(later.map(({ path }) => path)).toEqual(['/again', '/end', '/back']);
    expect(JSON.stringify(later)).not.toContain('s3cret');
  });

  it('are in no error', async () => {
    origin.set('/start', { status: 401 });
    const error: unknown = await fetchPath('/start', { credentials }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'http_error', httpStatus: 401 });
    expect(JSON.stringify(error, ['message', 'stack', 'cause'])).not.toContain('s3cret');
  });
});

describe('validators', () => {
  const conditions = { 'if-none-match': '"1"' };

  it('are sent to the record’s URL only, because elsewhere the same ETag may mean another body', async () => {
    origin.set('/start', { redirectTo: `${other.url}/end` });
    other.set('/end', { body: 'a,b\n5,6\n', etag: '"1"' });
    await expect(fetchPath('/start', { conditions })).resolves.toMatchObject({
      status: 'ok',
      headers: { etag: undefined, lastModified: undefined },
    });
    expect(origin.requests[0]?.headers['if-none-match']).toBe('"1"');
    expect(other.requests[0]?.headers).not.toHaveProperty('if-none-match');
  });

  it('that were not sent allow no 304', async () => {
    origin.set('/start', { redirectTo: `${other.url}/end` });
    other.set('/end', { status: 304 });
    await expect(fetchPath('/start', { conditions })).rejects.toMatchObject({
      code: 'http_error',
      httpStatus: 304,
    });
  });
});
