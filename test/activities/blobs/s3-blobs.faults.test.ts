// S3 that is silent, unavailable or closes connections: the operation fails in time, and nothing else does.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BlobNotFound, type BlobStore } from '../../../activities/blobs/blob-store.ts';
import { openBlobStore } from '../../../activities/blobs/open-blob-store.ts';
import { makeId } from '../../../core/ids.ts';
import { until } from '../../support/until.ts';

const TIMEOUTS = { connectionTimeout: 300, socketTimeout: 300 };
const RECORD = makeId('record', Date.now(), randomBytes(16).toString('hex'));
const SHA256 = 'a'.repeat(64);

let folder: string;
let server: Server;
let requests = 0;
let answer: RequestListener = () => undefined;
/** Unhandled errors, which would crash a worker. Vitest fails the run for them, but does not name the test. */
const uncaught: unknown[] = [];
const onUncaught = (error: unknown): void => void uncaught.push(error);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'faulty-s3-'));
  server = createServer((request, response) => {
    requests += 1;
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  process.on('uncaughtException', onUncaught);
});

afterEach(() => {
  if (uncaught.length > 0) throw uncaught[0];
});

afterAll(() => {
  process.off('uncaughtException', onUncaught);
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function openStore(): BlobStore {
  const { port } = server.address() as AddressInfo;
  return openBlobStore(`s3://id:secret@bodies?endpoint=http://127.0.0.1:${port}`, folder, TIMEOUTS);
}

function newFile(sizeBytes = 1_000): string {
  const path = join(folder, randomBytes(8).toString('hex'));
  writeFileSync(path, Buffer.alloc(sizeBytes));
  return path;
}

const OPERATIONS: [string, (store: BlobStore) => Promise<unknown>][] = [
  ['put', (store) => store.put(RECORD, SHA256, newFile())],
  ['put in parts', (store) => store.put(RECORD, SHA256, newFile(20 * 1024 * 1024))],
  ['open', (store) => store.open(RECORD, SHA256)],
  ['remove', (store) => store.remove(RECORD, SHA256)],
  ['removeAll', (store) => store.removeAll(RECORD)],
  ['abandonUploads', (store) => store.abandonUploads(new Date())],
];

describe.each(OPERATIONS)('%s', (_name, operation) => {
  it('fails when the store is silent', async () => {
    answer = () => undefined;
    await expect(operation(openStore())).rejects.toThrow(/tim(ed? ?out|eout)/i);
  });

  it('fails after some tries when the store answers 503, and not with a missing body', async () => {
    answer = (_request, response) =>
      void response.writeHead(503).end('<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>');
    const before = requests;
    const failure: unknown = await operation(openStore()).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ $metadata: { httpStatusCode: 503 } });
    expect(failure).not.toBeInstanceOf(BlobNotFound);
    expect(requests - before).toBeGreaterThanOrEqual(3);
  });

  it('fails when connections break', async () => {
    answer = (request) => void request.socket.destroy();
    await expect(operation(openStore())).rejects.toThrow(/ECONNRESET|socket hang up|EPIPE/);
  });
});

describe('regression: a store that gives other bytes', () => {
  const bytes = Buffer.from('id,price\n'.repeat(30_000));
  const sha256 = createHash('sha256').update(bytes).digest('hex');

  it.each([
    ['fewer', bytes.subarray(0, 200_000)],
    ['more', Buffer.concat([bytes, bytes])],
    ['another one at the end', Buffer.concat([bytes.subarray(0, -1), Buffer.from(',')])],
    ['none', Buffer.alloc(0)],
  ])('fails the read: %s', async (_how, given) => {
    answer = (_request, response) => void response.end(given);
    await using body = await openStore().open(RECORD, sha256);
    await expect(body.read(Buffer.alloc(2 * bytes.length + 1), 0)).rejects.toThrow('other bytes');
  });

  it('fails the read of what ends with the body', async () => {
    answer = (_request, response) => void response.end(Buffer.from(bytes).fill('x', 0, 10));
    await using body = await openStore().open(RECORD, sha256);
    await expect(body.read(Buffer.alloc(2), bytes.length - 2)).rejects.toThrow('other bytes');
  });
});

it('putting an unreadable file fails', async () => {
  answer = (_request, response) => void response.writeHead(200, { etag: '"x"' }).end();
  await expect(openStore().put(RECORD, SHA256, join(folder, 'not there'))).rejects.toThrow('ENOENT');
  await expect(openStore().put(RECORD, SHA256, folder)).rejects.toThrow('EISDIR');
});

it('a failed upload leaves no file open', async () => {
  answer = (_request, response) => void response.writeHead(503).end();
  const path = newFile(40 * 1024 * 1024);
  await expect(openStore().put(RECORD, SHA256, path)).rejects.toMatchObject({
    $metadata: { httpStatusCode: 503 },
  });
  await until('it is closed', () =>
    readdirSync('/proc/self/fd').every((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) !== path;
      } catch {
        return true;
      }
    }),
  );
});
