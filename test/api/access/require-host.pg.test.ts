// The host names under which the API accepts calls from its own machine. They exclude names that a web page has rebound to it.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { freePort } from '../../support/servers/free-port.ts';

const port = await freePort();
const api = useApi({ baseUrl: 'https://watch.example', allowedHosts: ['inside.example'] });
beforeAll(async () => {
  await api.app.listen({ host: '127.0.0.1', port });
});

/** @returns status line and body */
async function send(lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

const get = (host: string, path = '/v1/openapi.json') => send([`GET ${path} HTTP/1.1`, `Host: ${host}`]);

describe('a request on loopback', () => {
  it.each([
    `127.0.0.1:${port}`,
    'localhost',
    `localhost:${port}`,
    'LOCALHOST.:9000',
    'app.localhost:1',
    '[::1]:8080',
    '[::ffff:127.0.0.1]',
    'watch.example',
    'watch.example:443',
    'inside.example',
  ])('is answered for %s', async (host) => {
    expect(await get(host)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'watch.example.evil.example',
    'notlocalhost',
    '10.0.0.1',
    '0.0.0.0',
    'evil.example@localhost',
    'localhost:80@evil.example',
    '[::2]',
    'localhost,evil.example',
    '',
  ])('regression: is refused for %j', async (host) => {
    const answer = await get(host);
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).toContain('"code":"host_not_allowed"');
  });

  it.each([
    '/healthz',
    '/docs',
    '/dashboard/',
    '/auth/get-session',
    '/v1/mcp',
    '/oauth/jwks',
    '/no-such-path',
    '/',
  ])('regression: is refused at %s too', async (path) => {
    expect(await get('evil.example', path)).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('regression: is refused before the operation runs', async () => {
    const body = JSON.stringify({ url: 'https://example.com/a.csv' });
    const answer = await send([
      'POST /v1/sessions HTTP/1.1',
      'Host: evil.example',
      'Origin: http://evil.example',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(await api.db('ephemeralSessions').select('id')).toEqual([]);
  });

  it('regression: is refused for a second Host, and for a whole URL of another host', async () => {
    const twice = await send(['GET /healthz HTTP/1.1', 'Host: localhost', 'Host: evil.example']);
    expect(twice).toMatch(/^HTTP\/1\.1 4(00|21) /);
    for (const target of ['http://evil.example/healthz', 'HTTP://evil.example:80/healthz']) {
      expect(await send([`GET ${target} HTTP/1.1`, 'Host: localhost'])).toMatch(/^HTTP\/1\.1 421 /);
    }
  });

  it('regression: gets a problem document for HTTP/1.1 without Host', async () => {
    const answer = await send(['GET /v1/openapi.json HTTP/1.1']);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\r\nx-request-id: [^]*"code":"bad_request"/);
    expect(await send(['GET /v1/openapi.json HTTP/1.0'])).toMatch(/^HTTP\/1\.1 200 /);
  });
});
