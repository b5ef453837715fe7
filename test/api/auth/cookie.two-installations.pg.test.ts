// Two installations on one machine: a browser sends the cookies of a host to all of its ports.
import { expect, it } from 'vitest';
import { cookieName, nameAtPort } from '../../../api/auth/cookie.ts';
import { useApi } from '../../support/api/api.ts';
import { browserAt, newUser } from '../../support/api/browser.ts';
import { authorizePath, newPkce, openBrowser, registerClient } from '../../support/api/oauth-browser.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';

const { api: first, baseUrl } = await useListeningApi();
const second = useApi({ baseUrl: 'http://127.0.0.1:9' });

it('do not end each other’s sessions', async () => {
  const cookies = new Map<string, string>();
  const [here, there] = [browserAt(first, cookies), browserAt(second, cookies)];
  const users = [await newUser(first), await newUser(second)];
  await here.post('/auth/link', { token: users[0]?.link });
  await there.post('/auth/link', { token: users[1]?.link });
  const whoIs = async () =>
    [await here.get('/auth/get-session'), await there.get('/auth/get-session')].map(
      ({ body }) => body?.user.id ?? null,
    );
  expect(await whoIs()).toEqual(users.map(({ user }) => user.id));
  await there.post('/auth/sign-out');
  expect(await whoIs()).toEqual([users[0]?.user.id, null]);
});

it('do not confuse the clients that are being connected', async () => {
  const browser = openBrowser(baseUrl);
  await browser.visit(authorizePath(await registerClient(baseUrl), newPkce()));
  const { port } = new URL(baseUrl);
  expect(browser.cookies.size).toBeGreaterThan(0);
  for (const name of browser.cookies.keys()) expect(name).toMatch(new RegExp(`-${port}(\\.sig)?$`));
});

it.each([
  ['https://watch.example', '__Host-recordwatch'],
  ['https://watch.example:8443', '__Host-recordwatch-8443'],
  ['http://127.0.0.1:8080', 'recordwatch-8080'],
  ['http://localhost', 'recordwatch'],
])('name the cookie at %s %s', (url, name) => {
  expect(cookieName(url)).toBe(name);
  expect(nameAtPort(url, 'x')).toBe(name.replace(/^(__Host-)?recordwatch/, 'x'));
});
