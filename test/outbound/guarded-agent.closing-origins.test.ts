// Origins that close the connection as soon as everything is sent, and readers that are slower than that. Origins that reset it.
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseAllowedNetworks } from '../../core/network/address-policy.ts';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';

const guard = { allowed: parseAllowedNetworks(['127.0.0.1']), resolve: () => Promise.resolve(['127.0.0.1']) };

/** The ways in which an answer marks the end of its body. */
const FRAMES: Record<string, (body: Buffer) => Buffer[]> = {
  'a length': (body) => [head(`content-length: ${body.length}`), body],
  'no length': (body) => [head('x: y'), body],
  chunks: (body) => [
    head('transfer-encoding: chunked'),
    ...chunksOf(body).flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, CRLF]),
    Buffer.from('0\r\n\r\n'),
  ],
};
const CRLF = Buffer.from('\r\n');

const head = (field: string): Buffer =>
  Buffer.from(`HTTP/1.1 200 OK\r\nconnection: close\r\n${field}\r\n\r\n`);

function chunksOf(body: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += 50_000) chunks.push(body.subarray(at, at + 50_000));
  return chunks;
}

const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  socket.once('data', (data) => {
    const [, frame = '', sizeBytes = ''] = /^GET \/(.*)\/(\d+) /.exec(data.toString('latin1')) ?? [];
    for (const part of FRAMES[decodeURIComponent(frame)]?.(bodyOf(Number(sizeBytes))) ?? [])
      socket.write(part);
    socket.end();
  });
});

const bodyOf = (sizeBytes: number): Buffer => Buffer.alloc(sizeBytes, 'id,name\n1,Ann\n');

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** @param turns how many turns of the event loop the reader needs for each piece */
async function readSlowly(path: string, turns: number): Promise<number> {
  const agent = createGuardedAgent(guard, new AbortController().signal);
  onTestFinished(() => agent.destroy());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;
  const { body } = await request(url, { dispatcher: agent.dispatcher });
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += (chunk as Buffer).length;
    for (let i = 0; i < turns; i += 1) await turn();
  }
  return sizeBytes;
}

describe.each(Object.keys(FRAMES))('regression: an origin that closes at once, with %s', (frame) => {
  it.each([100_000, 200_000, 1_000_000, 10_000_000])('all %d bytes reach a slow reader', async (size) => {
    const path = `${encodeURIComponent(frame)}/${size}`;
    const readers = [1, 5, 25, 100].flatMap((turns) => [turns, turns, turns]);
    const sizes = await Promise.all(readers.map((turns) => readSlowly(path, turns)));
    expect(sizes).toEqual(readers.map(() => size));
  });
});

describe('regression: a reset is no end of a body', () => {
  it.each([
    ['HTTP/1.1 200 OK\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'],
    ['HTTP/1.0 200 OK\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nf\r\n'],
  ])('%j', async (start) => {
    const breaking = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(`${start}id,name\n1,Ann\n\r\n`));
      connection = socket;
    });
    let connection: Socket | undefined;
    await new Promise<void>((resolve) => {
      breaking.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void breaking.close());
    const agent = createGuardedAgent(guard, new AbortController().signal);
    onTestFinished(() => agent.destroy());
    const url = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}/`;
    const { body } = await request(url, { dispatcher: agent.dispatcher });
    const read: string[] = [];
    const reading = (async () => {
      for await (const chunk of body) {
        read.push(String(chunk));
        // What was not read yet would be lost with the connection.
        connection?.resetAndDestroy();
      }
    })();
    await expect(reading).rejects.toThrow(Error);
    expect(read.join('')).toContain('1,Ann');
  });
});
