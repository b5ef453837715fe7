// The shutdown of the API: requests in progress are answered, each answer closes its connection, and nothing else delays the end.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { useApi } from '../../support/api/api.ts';
import { createGate, type Gate } from '../../support/gate.ts';
import { until } from '../../support/until.ts';

/** The deadline of the end after the last request in progress. */
const END_DEADLINE_MS = 5_000;

const api = useApi();
let app: ReturnType<typeof buildApp>;
let draining: AbortController;
let port = 0;
let gate: Gate;
let waiting: number;

beforeEach(async () => {
  draining = new AbortController();
  gate = createGate();
  waiting = 0;
  app = buildApp(api.services, { draining: draining.signal });
  app.get('/slow', async () => {
    waiting += 1;
    await gate.wait();
    return { waited: true };
  });
  app.get('/begun', (_request, reply) => {
    const content = new PassThrough();
    content.write('the beginning');
    waiting += 1;
    void gate.wait().then(() => content.end(', the end'));
    return reply.send(content);
  });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});

afterEach(async () => {
  gate.open();
  app.server.closeAllConnections();
  await app.close();
});

interface Caller {
  socket: Socket;
  read: () => string;
  get: (path: string) => void;
}

async function call(): Promise<Caller> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'connect');
  return {
    socket,
    read: () => text,
    get: (path) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
  };
}

/** Waits until the app has ended. */
async function untilEnded(closing: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void closing.then(() => (hasEnded = true));
  await until('the app has ended', () => hasEnded, { deadlineMs: END_DEADLINE_MS });
}

describe('regression: an API that ends', () => {
  it('answers requests in progress on a kept connection, and closes it', async () => {
    const caller = await call();
    caller.get('/healthz');
    await until('the first is answered', () => caller.read().includes('ok'));
    expect(caller.read()).not.toMatch(/^connection: close/im);
    caller.get('/slow');
    await until('the second is under way', () => waiting === 1);
    const closing = app.close();
    await until('nobody else is let in', () => !app.server.listening);
    gate.open();
    await untilEnded(closing);
    expect(caller.read()).toMatch(/^connection: close\r\n[\s\S]*\{"waited":true\}$/im);
  });

  it('is not delayed by an unfinished response', async () => {
    const caller = await call();
    caller.get('/begun');
    await until('it has begun', () => caller.read().includes('the beginning'));
    const closing = app.close();
    await until('nobody else is let in', () => !app.server.listening);
    gate.open();
    await untilEnded(closing);
    expect(caller.read()).toContain(', the end');
  });

  it.each([
    ['a part of a request', 'GET /healthz HTTP/1.1\r\nHost:'],
    [
      'a part of a body',
      'POST /v1/sources HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
    ['nothing', ''],
  ])('is not delayed by a connection that has sent %s', { timeout: 15_000 }, async (_, text) => {
    const { socket } = await call();
    socket.on('error', () => undefined);
    socket.write(
      text === '' ? ' ' : text.replace('Host: x', `Host: x\r\nAuthorization: Bearer ${api.fullKey}`),
    );
    await until('it is connected', async () => (await connections()) === 1);
    let hasEnded = false;
    void app.close().then(() => (hasEnded = true));
    await until('the app has ended', () => hasEnded, { deadlineMs: 2 * END_DEADLINE_MS });
  });
});

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

describe('an API that is about to end', () => {
  it('is not ready, still answers, and closes each connection', async () => {
    draining.abort();
    const caller = await call();
    caller.get('/readyz');
    await until('it is answered', () => caller.read().includes('shutting_down'));
    expect(caller.read()).toMatch(/^HTTP\/1\.1 503 /);
    const other = await call();
    const ended = once(other.socket, 'close');
    other.get('/v1/openapi.json');
    await ended;
    expect(other.read()).toMatch(/^HTTP\/1\.1 200 /);
    expect(other.read()).toMatch(/^connection: close/im);
  });

  it.each([
    ['no credential', 'GET /v1/sources', '', 401, 'unauthenticated'],
    ['no such path', 'GET /v1/nothing', '', 404, 'not_found'],
    ['another method', 'DELETE /v1/usage', '', 405, 'method_not_allowed'],
    ['no JSON', 'POST /v1/sources', '{', 400, 'malformed_json'],
  ])(
    'reports errors of requests that arrive completely while it ends: %s',
    async (_, line, body, status, code) => {
      const slow = await call();
      slow.get('/slow');
      const caller = await call();
      const credential = status === 401 ? '' : `Authorization: Bearer ${api.fullKey}\r\n`;
      caller.socket.write(line);
      await until('both have begun', async () => waiting === 1 && (await connections()) === 2);
      const closing = app.close();
      await until('nobody else is let in', () => !app.server.listening);
      const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      caller.socket.write(` HTTP/1.1\r\nHost: x\r\n${credential}${type}\r\n${body}`);
      await until('it is answered', () => caller.read().includes('\r\n\r\n{'));
      const [head = '', problem = ''] = caller.read().split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toMatch(/^content-type: application\/problem\+json/im);
      expect(head).toMatch(/^connection: close/im);
      const requestId = /^x-request-id: (\S+)/im.exec(head)?.[1];
      expect(JSON.parse(problem)).toMatchObject({ status, code, requestId: expect.any(String) });
      expect(JSON.parse(problem)).toHaveProperty('requestId', requestId);
      gate.open();
      await untilEnded(closing);
    },
  );

  it('answers in full what arrives on an open connection while it ends', async () => {
    const [first, second] = [await call(), await call()];
    first.get('/slow');
    second.get('/slow');
    await until('both are under way', () => waiting === 2);
    const closing = app.close();
    await until('nobody else is let in', () => !app.server.listening);
    gate.open();
    await untilEnded(closing);
    for (const { read } of [first, second]) expect(read()).toMatch(/^HTTP\/1\.1 200 /);
  });
});
