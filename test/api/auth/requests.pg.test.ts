// Other sites cannot make a browser change anything. Tests each route with each way to try.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { type Browser, newUser, signInByLink } from '../../support/api/browser.ts';

const api = useApi({ baseUrl: 'https://watch.example' });

let browser: Browser;
beforeAll(async () => {
  browser = await signInByLink(api, (await newUser(api)).user);
});

const DOORS = [
  ['POST', '/auth/sign-up/email'],
  ['POST', '/auth/sign-in/email'],
  ['POST', '/auth/sign-up/finish'],
  ['POST', '/auth/link'],
  ['POST', '/auth/link/look'],
  ['POST', '/auth/sign-out'],
  ['POST', '/auth/request-password-reset'],
  ['POST', '/auth/reset-password'],
  ['POST', '/auth/change-password'],
  ['POST', '/auth/token'],
  ['POST', '/auth/sessions/end-others'],
  ['DELETE', '/auth/sessions/lgn_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f'],
] as const;

const send = (
  method: 'POST' | 'DELETE',
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
) =>
  api.call(method, path, {
    key: null,
    headers: { cookie: browser.cookie(), ...headers },
    ...(body === undefined ? {} : { body }),
  });

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(DOORS)('%s %s', (method, path) => {
  it.each([
    ['another site says so', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of the host', { 'sec-fetch-site': 'same-site' }],
    ['typed by hand', { 'sec-fetch-site': 'none' }],
    [
      'another site that forges an origin',
      { 'sec-fetch-site': 'cross-site', origin: 'https://watch.example' },
    ],
    ['an old browser from another site', { origin: 'https://evil.example' }],
    ['an old browser from the same host without TLS', { origin: 'http://watch.example' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['nothing said at all', {}],
  ])('is refused: %s', async (_what, headers) => {
    const answer = await send(method, path, { ...JSON_TYPE, ...headers }, '{}');
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/jsonp',
  ])('takes no %s', async (type) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type };
    expect(await send(method, path, headers, '{}')).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });

  it('is admitted from the dashboard, by either header that names the origin', async () => {
    for (const from of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'https://watch.example' }]) {
      const { status } = await send(method, path, { ...JSON_TYPE, ...from }, '{}');
      expect([400, 415]).not.toContain(status);
      browser = await signInByLink(api, (await newUser(api)).user);
    }
  });
});

it('POST without a content type is refused', async () => {
  const answer = await send('POST', '/auth/sign-out', { 'sec-fetch-site': 'same-origin' }, undefined);
  expect(answer.status).toBe(415);
  expect((await browser.get('/auth/get-session')).body).not.toBeNull();
});

it('pages of other origins cannot read who is signed in', async () => {
  const answer = await api.call('GET', '/auth/get-session', {
    key: null,
    headers: { cookie: browser.cookie(), origin: 'https://evil.example' },
  });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  expect(answer.headers['cache-control']).toBe('no-store');
});
