import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { useApi } from '../../support/api/api.ts';
import { until } from '../../support/until.ts';

const api = useApi();
let app: ReturnType<typeof buildApp>;
let port = 0;
/** Requests whose body is being read. */
const beingRead = new Set<string>();
/** More than the buffers of both ends of a connection hold. */
const LARGE_BYTES = 32 * 1024 * 1024;

beforeAll(async () => {
  // On a busy machine a connection must not count as idle before its request is late.
  app = buildApp(api.services, { requestTimeoutMs: 400, headersTimeoutMs: 200, idleTimeoutMs: 5_000 });
  app.get('/large', (_request, reply) => reply.send(Buffer.alloc(LARGE_BYTES)));
  app.get('/begun', (_request, reply) => {
    const content = new PassThrough();
    content.write('the beginning');
    return reply.send(content);
  });
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

it('ends a connection whose headers do not arrive', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/sources HTTP/1.1\r\nHost: x\r\n');
  expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

it('ends a connection whose body does not arrive', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /v1/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.fullKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

/** Sends a text a byte at a time for as long as the connection lives, so that it is never idle. */
function trickle(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    const byte = text[at % text.length] ?? '';
    at += 1;
    if (socket.writable) socket.write(byte);
  }, 20);
  socket.on('error', () => undefined);
  socket.once('close', () => clearInterval(timer));
}

it('ends a connection whose headers arrive a byte at a time', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/sources HTTP/1.1\r\nHost: x\r\n');
  trickle(socket, 'A: b\r\n');
  const text = await readToEnd(socket);
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 408, code: 'request_timeout' });
});

it('accepts no request on a connection that it has given up', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /too-late HTTP/1.1\r\nHost: x\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  socket.write('\r\n');
  await once(socket, 'close');
  await until('what came later is over', async () => {
    // On a busy machine, this request may be too slow as well.
    await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    return api.logLines.some((line) => line.includes('"/healthz"'));
  });
  expect(api.logLines.filter((line) => line.includes('too-late'))).toEqual([]);
});

it('ends a connection whose body arrives a byte at a time', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /v1/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.fullKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
  );
  trickle(socket, ' ');
  const text = await readToEnd(socket);
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(text).toContain('"code":"request_timeout"');
});

it('ends a connection whose response is not read', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the connection is closed', () =>
    api.logLines.find((line) => line.includes('"path":"/large"')),
  );
  expect(socket.bytesRead).toBeLessThan(LARGE_BYTES);
  socket.destroy();
});

it('ends a response that takes too long, even one that is never idle', async () => {
  const patient = buildApp(api.services, { answerTimeoutMs: 300 });
  patient.get('/long', (_request, reply) => reply.send(Buffer.alloc(LARGE_BYTES)));
  const address = await patient.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.pause();
  socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
  const line = await until('the answer is broken off', () =>
    api.logLines.find((each) => each.includes('"path":"/long"')),
  );
  expect(JSON.parse(line)['ms']).toBeGreaterThanOrEqual(300);
  expect(socket.bytesRead).toBeLessThan(LARGE_BYTES);
  socket.destroy();
  await patient.close();
});

it('does not send a second response in the middle of a response', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const chunks: Buffer[] = [];
  socket.write('GET /begun HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.once('data', () => socket.write('NONSENSE\r\n\r\n'));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  expect(
    Buffer.concat(chunks)
      .toString('latin1')
      .match(/HTTP\/1\.1 /g),
  ).toHaveLength(1);
});

it('closes connections beyond its maximum, and accepts new ones once others are closed', async () => {
  const small = buildApp(api.services, { maxConnections: 2 });
  const address = await small.listen({ host: '127.0.0.1', port: 0 });
  const open = (): Socket => connect(Number(new URL(address).port), '127.0.0.1');
  const ask = async (socket: Socket): Promise<string> => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [chunk] = await once(socket, 'data');
    return String(chunk).split('\r\n')[0] ?? '';
  };
  const held = [open(), open()];
  for (const socket of held) expect(await ask(socket)).toBe('HTTP/1.1 200 OK');
  expect(await readToEnd(open())).toBe('');
  held[0]?.destroy();
  await until('there is room again', async () => {
    const socket = open().on('error', () => undefined);
    const answer = await Promise.race([ask(socket), once(socket, 'close').then(() => '')]);
    socket.destroy();
    return answer === 'HTTP/1.1 200 OK';
  });
  held[1]?.destroy();
  await small.close();
});

it('logs no failure when a caller disconnects in the middle of a body', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /v1/sources HTTP/1.1\r\nHost: x\r\nX-Request-Id: left-early\r\nAuthorization: Bearer ${api.fullKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  await until('the body is being read', () => beingRead.has('left-early'));
  socket.resetAndDestroy();
  const ownLines = (): string[] => api.logLines.filter((line) => line.includes('left-early'));
  await until('the request is over', () => ownLines().some((line) => line.includes('"path":')));
  // After another request through the server, everything that followed the end of the first one is logged.
  await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(ownLines().filter((line) => line.includes('"level":50'))).toEqual([]);
});

it('has the limits of production by default', async () => {
  const usual = buildApp(api.services);
  expect(usual.server).toMatchObject({
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 72_000,
    timeout: 120_000,
    maxRequestsPerSocket: 1_000,
    maxConnections: 10_000,
  });
  await usual.close();
});
