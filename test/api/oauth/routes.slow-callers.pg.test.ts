// Bodies that do not arrive, sent without a credential to routes that read bodies in their own way.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { useApi } from '../../support/api/api.ts';
import { until } from '../../support/until.ts';

const api = useApi();
let app: ReturnType<typeof buildApp>;
let port = 0;

beforeAll(async () => {
  app = buildApp(api.services, { requestTimeoutMs: 400, headersTimeoutMs: 200, idleTimeoutMs: 5_000 });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => app.close());

/** Starts a request and sends its body a byte at a time while the connection is open. */
async function trickle(path: string, type: string, id: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nContent-Type: ${type}\r\n` +
      'Content-Length: 10000\r\n\r\n',
  );
  const timer = setInterval(() => {
    if (socket.writable) socket.write('a');
  }, 20);
  try {
    return await readToEnd(socket);
  } finally {
    clearInterval(timer);
  }
}

async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

it.each([
  ['/oauth/token', 'application/x-www-form-urlencoded'],
  ['/oauth/revoke', 'application/x-www-form-urlencoded'],
  ['/oauth/register', 'application/json'],
  ['/oauth/interaction/nothing', 'application/x-www-form-urlencoded'],
])(
  '%s ends a connection whose body comes a byte at a time, and takes it for no fault of its own',
  async (path, type) => {
    const id = `slow${path.replaceAll('/', '-')}`;
    const text = await trickle(path, type, id);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 408']);
    expect(text).toContain('"code":"request_timeout"');
    const ownLines = (): string[] => api.logLines.filter((line) => line.includes(`"${id}"`));
    await until('the request is over', () => ownLines().some((line) => line.includes('"path":')));
    // After another request through the server, everything that followed is logged.
    await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(api.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  },
);

it('the MCP server refuses a stranger before the body arrives, and still closes the connection', async () => {
  const text = await trickle('/v1/mcp', 'application/json', 'slow-mcp');
  expect(text).toMatch(/^HTTP\/1\.1 401 /);
});
