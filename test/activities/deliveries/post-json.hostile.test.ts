// Endpoints that try to block the sender, fill its memory or send data out of turn. Each attempt ends in time, keeps little in
// memory, and leaves no connection behind.
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedAgent } from '../../../outbound/guarded-agent.ts';
import { postJson, type PostOptions, type PostOutcome } from '../../../activities/deliveries/post-json.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { until } from '../../support/until.ts';

const TIMEOUT_MS = 400;
const guard = { allowed: parseAllowedNetworks(['127.0.0.1']), resolve: () => Promise.resolve(['127.0.0.1']) };

interface Endpoint {
  url: string;
  sockets: Set<Socket>;
  requests: () => number;
}

/** @param answer called for each request with the socket of its connection */
async function startEndpoint(
  answer: (write: (text: string | Buffer) => void, socket: Socket) => void,
): Promise<Endpoint> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      if (!data.toString('latin1').startsWith('POST ')) return;
      requests += 1;
      answer((text) => socket.writable && socket.write(text), socket);
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on TCP has an AddressInfo.
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sockets,
    requests: () => requests,
  };
}

function post({ url }: Endpoint, options: Partial<PostOptions> = {}): Promise<PostOutcome> {
  return postJson({ url, body: '{}', headers: {}, userAgent: 'x', guard, timeoutMs: TIMEOUT_MS, ...options });
}

/** Writes repeatedly until the connection closes. */
function forever(
  write: (text: string | Buffer) => void,
  socket: Socket,
  text: string | Buffer,
  everyMs = 5,
): void {
  const timer = setInterval(() => write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

const OK = 'HTTP/1.1 200 OK\r\n';
const NO_ANSWER: Partial<PostOutcome> = {
  errorCode: 'endpoint_unreachable',
  statusCode: null,
  excerpt: null,
};
const NO_TIME: Partial<PostOutcome> = { errorCode: 'endpoint_timeout', statusCode: null, excerpt: null };

const HOSTILE: [what: string, answer: Parameters<typeof startEndpoint>[0], outcome: Partial<PostOutcome>][] = [
  ['continues with 103 forever', (write, socket) => forever(write, socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), NO_TIME],
  ['continues with 102 forever', (write, socket) => forever(write, socket, 'HTTP/1.1 102 Processing\r\n\r\n'), NO_TIME],
  ['answers 100 to a request that did not ask', (write) => write('HTTP/1.1 100 Continue\r\n\r\n'), NO_ANSWER],
  ['switches protocols', (write) => write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), NO_ANSWER],
  ['sends one header without end', (write, socket) => {
    write(`${OK}x: `);
    forever(write, socket, 'x'.repeat(8_000));
  }, NO_ANSWER],
  ['sends headers without end', (write, socket) => {
    write(OK);
    forever(write, socket, 'x-flood: xxxxxxxxxxxxxxxxxxxxxxxx\r\n'.repeat(100));
  }, NO_ANSWER],
  ['sends its headers byte by byte', (write, socket) => forever(write, socket, 'H', 20), NO_ANSWER],
  ['drips a header', (write, socket) => {
    write(OK);
    forever(write, socket, 'x: y\r\n', 20);
  }, NO_TIME],
  ['speaks no HTTP', (write) => write('\u0000\u0001\u0002 hello\r\n\r\n'), NO_ANSWER],
  ['gives two lengths', (write) => write(`${OK}content-length: 2\r\ncontent-length: 5\r\n\r\nhello`), NO_ANSWER],
  ['gives a length and chunks', (write) => write(`${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`), NO_ANSWER],
  ['drips its body', (write, socket) => {
    write(`${OK}content-length: 1000000\r\n\r\n`);
    forever(write, socket, 'y', 20);
  }, { errorCode: null, statusCode: 200 }],
  ['sends a body without end', (write, socket) => {
    write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    forever(write, socket, `2000\r\n${'z'.repeat(0x2000)}\r\n`);
  }, { errorCode: null, statusCode: 200, excerpt: 'z'.repeat(16 * 1024) }],
  ['sends chunks of one byte with long extensions', (write, socket) => {
    write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    forever(write, socket, `1;${'e'.repeat(4_000)}\r\nz\r\n`);
  }, {}],
  ['sends trailers without end', (write, socket) => {
    write(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`);
    forever(write, socket, 'x-trailer: xxxxxxxxxxxxxxxx\r\n'.repeat(100));
  }, { errorCode: null, statusCode: 200, excerpt: '' }],
  ['sends a second answer behind the first', (write) => write(`${OK}content-length: 2\r\n\r\nok${OK}content-length: 4\r\n\r\nevil`), { errorCode: null, statusCode: 200, excerpt: 'ok' }],
]; // prettier-ignore

describe('an endpoint that', () => {
  it.each(HOSTILE)('%s', async (_what, answer, outcome) => {
    const endpoint = await startEndpoint(answer);
    expect(await post(endpoint)).toMatchObject(outcome);
    expect(endpoint.requests()).toBe(1);
    await until('the connection is closed', () => endpoint.sockets.size === 0);
  });

  it('sends a compression bomb has it stored compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const endpoint = await startEndpoint((write) => {
      write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      write(bomb);
    });
    const { excerpt, statusCode } = await post(endpoint, { timeoutMs: 15_000 });
    expect(statusCode).toBe(200);
    expect(excerpt).toBe(
      bomb
        .subarray(0, 16 * 1024)
        .toString('utf8')
        .replaceAll('\u0000', '\uFFFD'),
    );
  });

  it('resolves slowly and then answers slowly has the time of one attempt for both', async () => {
    const endpoint = await startEndpoint(() => undefined);
    const resolve = () =>
      new Promise<string[]>((answer) => {
        setTimeout(() => answer(['127.0.0.1']), TIMEOUT_MS / 2);
      });
    const url = endpoint.url.replace('127.0.0.1', 'slow.example');
    await expect(post({ ...endpoint, url }, { guard: { ...guard, resolve } })).resolves.toMatchObject(
      NO_TIME,
    );
    expect(endpoint.requests()).toBe(1);
  });
});

describe('a kept-alive connection', () => {
  it('accepts no response without a request', async () => {
    let answers = 0;
    const endpoint = await startEndpoint((write) => {
      answers += 1;
      const body = `answer-${answers}`;
      const evil = `${OK}content-length: 4\r\n\r\nevil`;
      write(`${OK}content-length: ${body.length}\r\n\r\n${body}${evil}`);
    });
    const agent = createGuardedAgent(guard, new AbortController().signal);
    onTestFinished(() => agent.destroy());
    for (let round = 1; round <= 5; round += 1) {
      const outcome = await post(endpoint, { agent, timeoutMs: 15_000 });
      // Bytes after a response close the connection. They are never read as the next response.
      expect(outcome.excerpt ?? '').not.toContain('evil');
    }
  });

  it('is closed when a response was not read to its end', async () => {
    const endpoint = await startEndpoint((write, socket) => {
      write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      forever(write, socket, `2000\r\n${'z'.repeat(0x2000)}\r\n`);
    });
    const agent = createGuardedAgent(guard, new AbortController().signal);
    onTestFinished(() => agent.destroy());
    await post(endpoint, { agent, timeoutMs: 15_000 });
    await until('the connection is closed', () => endpoint.sockets.size === 0);
  });
});
