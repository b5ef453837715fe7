// Methods that a path does not accept get 405 with Allow. Unknown paths get 404.
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import { useApi } from '../../support/api/api.ts';

const api = useApi();
const LOOK = 'GET, HEAD';

const BESIDE: readonly (readonly [path: string, allow: string])[] = [
  ['/', LOOK],
  ['/healthz', LOOK],
  ['/readyz', LOOK],
  ['/v1/mcp', 'POST'],
  ['/v1/openapi.json', LOOK],
  ['/docs', LOOK],
  ['/docs/', LOOK],
  ['/docs/errors', LOOK],
  ['/docs/page.css', LOOK],
  ['/dashboard', LOOK],
  ['/dashboard/', LOOK],
  ['/dashboard/settings.json', LOOK],
  ['/dashboard/sources/x', LOOK],
  ['/dashboard/assets/index-1.js', LOOK],
  ['/auth/get-session', LOOK],
  ['/auth/token', 'POST'],
  ['/auth/sessions/x', 'DELETE'],
  ['/oauth/authorize', LOOK],
  ['/oauth/authorize/x', LOOK],
  ['/oauth/interaction/x', 'GET, HEAD, POST'],
  ['/oauth/token', 'POST'],
  ['/oauth/register', 'POST'],
  ['/oauth/revoke', 'POST'],
  ['/oauth/jwks', LOOK],
  ['/oauth/page.css', LOOK],
  ['/.well-known/oauth-authorization-server', LOOK],
  ['/.well-known/openid-configuration', LOOK],
  ['/.well-known/oauth-protected-resource', LOOK],
  ['/.well-known/oauth-protected-resource/v1/mcp', LOOK],
];

const ORDER = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
const operations = [...Map.groupBy(OPERATIONS, ({ http }) => http.path)].map(([path, those]) => {
  const methods = ORDER.filter((method) => those.some(({ http }) => http.method === method));
  const allow = methods.map((method) => (method === 'GET' ? LOOK : method)).join(', ');
  return [path.replaceAll(/:\w+/g, 'x'), allow] as const;
});

const ask = (method: string, url: string, type?: string) =>
  api.app.inject({
    // Node knows more methods than the types.
    method: method as 'GET',
    url,
    ...(type === undefined ? {} : { headers: { 'content-type': type }, payload: '<' }),
  });

describe('regression: a method that a path does not accept', () => {
  it.each([...operations, ...BESIDE])('is 405 at %s', async (path, allow) => {
    const others = METHODS.filter((method) => method !== 'OPTIONS' && !allow.split(', ').includes(method));
    for (const method of others) {
      for (const type of [undefined, 'text/plain']) {
        const { statusCode, headers } = await ask(method, path, type);
        expect([method, type, statusCode, headers['allow']]).toEqual([method, type, 405, allow]);
        expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      }
    }
    for (const type of [undefined, 'text/plain']) {
      const { statusCode, headers, body } = await ask('OPTIONS', path, type);
      expect([statusCode, headers['allow'], body]).toEqual([204, allow, '']);
    }
  });

  it('is 404 where there is no path', async () => {
    for (const method of METHODS) {
      for (const type of [undefined, 'application/json', 'text/plain', 'nonsense']) {
        const { statusCode, headers } = await ask(method, '/v1/nothing', type);
        expect([method, type, statusCode, headers['allow']]).toEqual([method, type, 404, undefined]);
      }
    }
  });

  it('may be read by pages of other origins if they may call the path', async () => {
    for (const [path, allowed] of [
      ['/v1/sources', '*'],
      ['/oauth/token', '*'],
      ['/oauth/authorize', undefined],
      ['/auth/token', undefined],
    ] as const) {
      const { headers } = await ask('PUT', path);
      expect([path, headers['access-control-allow-origin']]).toEqual([path, allowed]);
    }
  });
});

describe('over a socket', () => {
  let port = 0;
  beforeAll(async () => {
    port = Number(new URL(await api.app.listen({ host: '127.0.0.1', port: 0 })).port);
  });

  async function send(line: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    await once(socket, 'close');
    return text;
  }

  it('regression: QUERY without a Content-Type is 405, and so is every method that Node reads', async () => {
    for (const method of METHODS.filter((each) => !['CONNECT', 'OPTIONS', 'POST'].includes(each))) {
      const text = await send(`${method} /v1/sources/x/check`);
      expect(text).toMatch(/^HTTP\/1\.1 405 /);
      expect(text).toMatch(/^allow: POST\r$/im);
    }
  });

  it.each(['CONNECT example.com:443', 'CONNECT /v1/sources'])('%s is answered 405', async (line) => {
    const text = await send(line);
    expect(text).toMatch(/^HTTP\/1\.1 405 /);
    expect(text).toMatch(/^allow: \r$/im);
    expect(text).toContain('"code":"method_not_allowed"');
  });

  it.each(['FETCH /v1/sources', 'get /v1/sources'])(
    '%s, which is not a method, gets a problem document',
    async (line) => {
      const text = await send(line);
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(text).toMatch(/^content-type: application\/problem\+json; charset=utf-8\r$/im);
    },
  );
});
