// Answers that are not valid HTTP: what of them an owner reads.
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fetchBody } from '../../../activities/fetch/fetch-body.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { CHECK_ERRORS } from '../../../core/errors.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'invalid-http-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function fetchOf(answer: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from(answer, 'latin1')));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const guard = {
    allowed: parseAllowedNetworks(['127.0.0.1']),
    resolve: () => Promise.resolve(['127.0.0.1']),
  };
  return fetchBody({ url: `http://127.0.0.1:${port}/`, guard, userAgent: 'test', folder, maxBytes: 1_000 });
}

const withHeaders = (lines: string, status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\n${lines}\r\n\r\nid\n1\n`;

describe('says that headers are not valid', () => {
  it.each([
    ['a control character', 'X-A: a\u0001b\r\nContent-Length: 5'],
    ['NUL', 'X-A: s3cret\0b\r\nContent-Length: 5'],
    ['a space in a name', 'X A: s3cret\r\nContent-Length: 5'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 4'],
    ['a length that is no number', 'Content-Length: s3cret'],
    ['a length beside chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
  ])('%s', async (_what, lines) => {
    for (const status of ['200 OK', '503 Busy']) {
      const fetching = fetchOf(withHeaders(lines, status));
      await expect(fetching).rejects.toMatchObject({
        code: 'origin_unreachable',
        message: `${CHECK_ERRORS.origin_unreachable} It answered, but not in valid HTTP: a header has a character that is not allowed, or Content-Length is repeated, no number, or beside Transfer-Encoding.`,
      });
    }
  });
});

describe('keeps silent of what is not HTTP from its first line on', () => {
  it.each([
    'SSH-2.0-OpenSSH_9.0\r\n',
    'HTTP/1.1 2x0 OK\r\n\r\n',
    'HTTP/9.9 200 OK\r\n\r\n',
    '220 mail\r\n',
    '',
  ])('%j', async (answer) => {
    await expect(fetchOf(answer)).rejects.toMatchObject({
      code: 'origin_unreachable',
      message: CHECK_ERRORS.origin_unreachable,
    });
  });
});
