// Reading from S3 goes on over another connection where one ended, and never gives other bytes.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BlobNotFound, type BlobReader } from '../../../activities/blobs/blob-store.ts';
import { openBlobStore } from '../../../activities/blobs/open-blob-store.ts';
import { makeId } from '../../../core/ids.ts';
import { until } from '../../support/until.ts';

const TIMEOUTS = { connectionTimeout: 1_000, socketTimeout: 1_000 };
const RECORD = makeId('record', Date.now(), randomBytes(16).toString('hex'));
/** More than the buffers of a connection hold. */
const BODY = randomBytes(24 * 1024 * 1024);
const SHA256 = createHash('sha256').update(BODY).digest('hex');
const ETAG = '"of the body"';

let server: Server;
/** `Range` and `If-Match` of each request since the test began. */
let requests: (string | undefined)[][] = [];
/** How many connections closed before the end of the body. */
let brokenOff = 0;
let answer: RequestListener = () => undefined;
/** Unhandled errors, which would crash a worker. */
const uncaught: unknown[] = [];
const onUncaught = (error: unknown): void => void uncaught.push(error);

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push([request.headers.range, request.headers['if-match']]);
    response.on('close', () => (brokenOff += response.writableFinished ? 0 : 1));
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  process.on('uncaughtException', onUncaught);
});

afterEach(() => {
  [requests, brokenOff] = [[], 0];
  if (uncaught.length > 0) throw uncaught[0];
});

afterAll(() => {
  process.off('uncaughtException', onUncaught);
  server.closeAllConnections();
  server.close();
});

const open = (): Promise<BlobReader> => {
  const { port } = server.address() as AddressInfo;
  const setting = `s3://id:secret@bodies?endpoint=http://127.0.0.1:${port}`;
  return openBlobStore(setting, 'unused', TIMEOUTS).open(RECORD, SHA256);
};

const startOf = ({ headers: { range = 'bytes=0-' } }: IncomingMessage): number =>
  Number(/^bytes=(\d+)-$/.exec(range)?.[1]);

/** Answers with the rest of the body from where the request wants it, as S3 does. */
const give: RequestListener = (request, response) => {
  const from = startOf(request);
  const range = `bytes ${from}-${BODY.length - 1}/${BODY.length}`;
  response
    .writeHead(from === 0 ? 200 : 206, {
      'content-length': BODY.length - from,
      'content-range': range,
      etag: ETAG,
    })
    .end(BODY.subarray(from));
};

/** Like `give`, but resets the connection after some bytes. */
const breakAfter =
  (bytes: number): RequestListener =>
  (request, response) => {
    const from = startOf(request);
    const range = `bytes ${from}-${BODY.length - 1}/${BODY.length}`;
    response.writeHead(206, { 'content-length': BODY.length - from, 'content-range': range, etag: ETAG });
    if (bytes === 0) response.flushHeaders();
    else response.write(BODY.subarray(from, from + bytes));
    setTimeout(() => request.socket.destroy(), 20);
  };

describe('regression: a connection on which nothing is read for longer than the timeout', () => {
  it.each([
    ['before the first read', 0],
    ['between two reads', 100_000],
  ])('goes on: %s', async (_when, first) => {
    answer = give;
    await using body = await open();
    const into = Buffer.alloc(BODY.length);
    expect(await body.read(into.subarray(0, first), 0)).toBe(first);
    await until('the client has closed the connection', () => brokenOff > 0);
    expect(await body.read(into.subarray(first), first)).toBe(BODY.length - first);
    expect(into.equals(BODY)).toBe(true);
    expect(requests[1]).toEqual([expect.stringMatching(/^bytes=\d+-$/), ETAG]);
  });
});

describe('a connection that breaks', () => {
  it('is followed by others, for as long as each gives something', async () => {
    answer = breakAfter(4 * 1024 * 1024);
    await using body = await open();
    const into = Buffer.alloc(BODY.length + 1);
    expect(await body.read(into, 0)).toBe(BODY.length);
    expect(into.subarray(0, -1).equals(BODY)).toBe(true);
    expect(requests.length).toBeGreaterThan(5);
  });

  const once =
    (next: RequestListener): RequestListener =>
    (...both) =>
      (requests.length === 1 ? breakAfter(100_000) : next)(...both);

  it.each<[string, RequestListener, RegExp | typeof BlobNotFound]>([
    ['nothing', breakAfter(0), /aborted|ECONNRESET|timed out/],
    ['no answer', () => undefined, /tim(ed? ?out|eout)/i],
    ['all of the body again', (_request, response) => void response.end(BODY), /does not go on/],
    [
      'other bytes',
      (request, response) => {
        const from = startOf(request);
        const range = `bytes ${from}-${BODY.length - 1}/${BODY.length}`;
        response.writeHead(206, { 'content-range': range }).end(BODY.subarray(0, BODY.length - from));
      },
      /other bytes/,
    ],
    ['another object', (_request, response) => void response.writeHead(412).end(), /./],
    [
      'no object',
      (_request, response) => {
        response
          .writeHead(404, { 'content-type': 'application/xml' })
          .end('<Error><Code>NoSuchKey</Code></Error>');
      },
      BlobNotFound,
    ],
  ])('fails the read when the next gives %s', async (_what, next, expected) => {
    // prettier-ignore
    answer = once(next);
    await using body = await open();
    await expect(body.read(Buffer.alloc(BODY.length + 1), 0)).rejects.toThrow(expected);
  });

  it('fails the read when the reader is closed meanwhile', async () => {
    answer = once(() => undefined);
    const body = await open();
    const reading = body.read(Buffer.alloc(BODY.length), 0);
    reading.catch(() => undefined);
    await until('the next connection was asked for', () => requests.length === 2);
    await body[Symbol.asyncDispose]();
    await expect(reading).rejects.toThrow(/abort/i);
    expect(requests).toHaveLength(2);
  });
});
