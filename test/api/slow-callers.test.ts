import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { useApi } from '../support/api.ts';
import { until } from '../support/until.ts';

const api = useApi();
let app: ReturnType<typeof buildApp>;
let port = 0;
/** Requests whose body has begun to be read. */
const beingRead = new Set<string>();
/** More than the buffers of both ends of a connection hold. */
const LARGE_BYTES = 32 * 1024 * 1024;

beforeAll(async () => {
  app = buildApp(api.services, { requestTimeoutMs: 400, headersTimeoutMs: 200, idleTimeoutMs: 600 });
  app.get('/large', (_request, reply) => reply.send(Buffer.alloc(LARGE_BYTES)));
  app.addHook('preParsing', async (request) => void beingRead.add(request.id));
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => app.close());

async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

it('ends a connection whose headers do not come', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/sources HTTP/1.1\r\nHost: x\r\n');
  expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

it('ends a connection whose body does not come', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /v1/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.fullKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

it('ends a connection whose answer is not read', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the connection is closed', () =>
    api.logLines.find((line) => line.includes('"path":"/large"')),
  );
  expect(socket.bytesRead).toBeLessThan(LARGE_BYTES);
  socket.destroy();
});

it('takes a caller who leaves in the middle of a body for no fault of its own', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /v1/sources HTTP/1.1\r\nHost: x\r\nX-Request-Id: left-early\r\nAuthorization: Bearer ${api.fullKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  await until('the body is being read', () => beingRead.has('left-early'));
  socket.resetAndDestroy();
  const ownLines = (): string[] => api.logLines.filter((line) => line.includes('left-early'));
  await until('the request is over', () => ownLines().some((line) => line.includes('"path":')));
  // Another round through the server, so that whatever followed the end of the first one has been said.
  await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(ownLines().filter((line) => line.includes('"level":50'))).toEqual([]);
});
