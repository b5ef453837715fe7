import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { useApi } from '../support/api.ts';

const api = useApi();
let app: ReturnType<typeof buildApp>;
let port = 0;

beforeAll(async () => {
  app = buildApp(api.services, { requestTimeoutMs: 400, headersTimeoutMs: 200 });
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
