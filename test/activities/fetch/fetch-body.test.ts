// Fetches from a real origin that shows every behaviour of origins.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fetchBody, type FetchOptions } from '../../../activities/fetch/fetch-body.ts';
import { FetchFailure } from '../../../activities/fetch/fetch-failure.ts';
import { saveBody } from '../../../activities/fetch/save-body.ts';
import { CHECK_ERRORS, type CheckErrorCode } from '../../../core/errors.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { createGate } from '../../support/gate.ts';
import {
  COMPRESS,
  HTML_PAGE,
  type Origin,
  type OriginBehaviour,
  startOrigin,
} from '../../support/servers/origin-server.ts';
import { SELF_SIGNED } from './self-signed.ts';

const BODY = 'id,name\n1,Ann\n2,Bob\n'.repeat(2_000);
const SECRET = 'sup3rsecret';

let origin: Origin;
let folder: string;

beforeAll(async () => {
  origin = await startOrigin();
  folder = await mkdtemp(join(tmpdir(), 'fetch-body-'));
});

afterAll(async () => {
  await origin.close();
  await rm(folder, { recursive: true });
});

afterEach(async () => {
  for (const name of await readdir(folder)) await rm(join(folder, name));
  origin.requests.length = 0;
});

function fetchPath(path: string, options: Partial<FetchOptions> = {}) {
  return fetchBody({
    url: origin.url + path,
    guard: { allowed: parseAllowedNetworks(['127.0.0.1']), resolve: () => Promise.resolve(['127.0.0.1']) },
    userAgent: 'Recordwatch/1 (+http://localhost:8080)',
    folder,
    maxBytes: 10_000_000,
    ...options,
  });
}

/** Fetches, expects a failure without a file left and without a secret in the error, and returns the failure. */
async function failureOf(fetching: Promise<unknown>): Promise<FetchFailure> {
  const error = await fetching.then(
    () => new Error('The fetch succeeded'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FetchFailure);
  expect(await readdir(folder)).toEqual([]);
  const told = JSON.stringify(error, ['message', 'stack', 'cause', 'name', ...Object.keys(error as object)]);
  expect(told).not.toMatch(new RegExp(`${SECRET}|undici|UND_ERR|ECONN|127\\.0\\.0\\.1`));
  return error as FetchFailure; // checked above
}

function failing(behaviour: OriginBehaviour, options: Partial<FetchOptions> = {}): Promise<FetchFailure> {
  origin.set('/feed', behaviour);
  return failureOf(fetchPath(`/feed?token=${SECRET}`, options));
}

describe('a good answer', () => {
  it('is stored, hashed and described', async () => {
    origin.set('/feed', {
      body: BODY,
      etag: '"v1"',
      headers: {
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        'cache-control': 'max-age=60',
        'retry-after': '9',
      },
    });
    const progress: number[] = [];
    const result = await fetchPath('/feed?a=b', { onProgress: (bytes) => progress.push(bytes) });
    expect(result).toEqual({
      status: 'ok',
      httpStatus: 200,
      headers: {
        etag: '"v1"',
        lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
        isModifiedUnclear: false,
        date: expect.stringMatching(/GMT$/),
        contentType: 'text/csv; charset=utf-8',
        retryAfter: '9',
        freshForMs: 60_000,
      },
      finalUrl: `${origin.url}/feed?a=b`,
      answer: expect.any(Function),
      file: expect.stringContaining(folder) as string,
      isCloseDelimited: false,
      sizeBytes: BODY.length,
      sha256: createHash('sha256').update(BODY).digest('hex'),
    });
    expect('answer' in result && result.answer()).toEqual({
      url: `${origin.url}/feed?a=b`,
      contentType: 'text/csv',
      beginning: expect.stringMatching(/^id,name 1,Ann .*…$/),
    });
    expect(progress.at(-1)).toBe(BODY.length);
    expect(await readdir(folder)).toHaveLength(1);
    expect(origin.requests[0]).toMatchObject({
      method: 'GET',
      headers: {
        'user-agent': 'Recordwatch/1 (+http://localhost:8080)',
        'accept-encoding': 'gzip, br, zstd',
      },
    });
  });

  it.each(['gzip', 'br', 'zstd', 'deflate'] as const)(
    'is decoded from %s, also in chunks',
    async (encoding) => {
      for (const chunked of [false, true]) {
        origin.set('/feed', { body: BODY, encoding, chunked });
        const result = await fetchPath('/feed');
        expect(result).toMatchObject({
          sizeBytes: BODY.length,
          sha256: createHash('sha256').update(BODY).digest('hex'),
        });
        expect(await readFile('file' in result ? result.file : '', 'utf8')).toBe(BODY);
      }
    },
  );

  it.each([
    ['/feed.csv.gz', 'gzip', undefined],
    ['/feed', 'gzip', 'br'],
    ['/feed.csv.zst', 'zstd', undefined],
    ['/feed.csv.br', 'br', undefined],
    ['/feed.csv.br', 'br', 'gzip'],
  ] as const)('may be a compressed file: %s holds %s, sent as %s', async (path, file, encoding) => {
    origin.set(path, { body: COMPRESS[file](Buffer.from(BODY)), ...(encoding && { encoding }) });
    const result = await fetchPath(`${path}?v=1`);
    expect(await readFile('file' in result ? result.file : '', 'utf8')).toBe(BODY);
    expect(result).toMatchObject({ sizeBytes: BODY.length });
  });

  it('may be a web page, which the parser rejects later', async () => {
    origin.set('/feed', HTML_PAGE);
    await expect(fetchPath('/feed')).resolves.toMatchObject({
      headers: { contentType: '; charset=utf-8' },
    });
  });

  it('may arrive slowly, and shares its connection with no other fetch', async () => {
    const gate = createGate();
    origin.set('/feed', { body: BODY, pauseUntil: gate.wait() });
    const result = await fetchPath('/feed', { onProgress: () => gate.open() });
    expect(result).toMatchObject({ sizeBytes: BODY.length });
    await fetchPath('/feed');
    expect(origin.requests[0]?.remotePort).not.toBe(origin.requests[1]?.remotePort);
  });

  it('may be exactly as large as the limit', async () => {
    origin.set('/feed', { body: BODY });
    await expect(fetchPath('/feed', { maxBytes: BODY.length })).resolves.toMatchObject({ status: 'ok' });
  });
});

describe('a conditional request', () => {
  it('reports that nothing changed', async () => {
    origin.set('/feed', { body: BODY, etag: '"v1"' });
    const result = await fetchPath('/feed', { conditions: { 'if-none-match': '"v1"' } });
    expect(result).toMatchObject({ status: 'not_modified', httpStatus: 304, headers: { etag: '"v1"' } });
    expect(await readdir(folder)).toEqual([]);
  });

  it('gets the body when it changed', async () => {
    origin.set('/feed', { body: BODY, etag: '"v2"' });
    await expect(fetchPath('/feed', { conditions: { 'If-None-Match': '"v1"' } })).resolves.toMatchObject({
      status: 'ok',
    });
  });

  it('without validators accepts no 304', async () => {
    expect(await failing({ status: 304 })).toMatchObject({ code: 'http_error', httpStatus: 304 });
  });
});

describe('an error status', () => {
  it.each([202, 205, 206, 207, 208, 226, 299, 300, 302, 400, 401, 403, 404, 410, 500, 502, 503])(
    '%d fails the check',
    async (status) => {
      const failure = await failing({ status, body: BODY });
      expect(failure).toMatchObject({ code: 'http_error', httpStatus: status, retryAfterMs: undefined });
      expect(failure.message).toContain(`tatus ${status}`);
    },
  );

  it('reports when to retry', async () => {
    const failure = await failing({ status: 429, headers: { 'retry-after': '30' } });
    expect(failure).toMatchObject({ code: 'http_error', httpStatus: 429, retryAfterMs: 30_000 });
  });
});

describe('an incomplete body fails the check:', () => {
  const cases: [string, OriginBehaviour][] = [
    ['shorter than its Content-Length', { body: BODY, cutAfterBytes: 1_000 }],
    ['cut off before its first byte', { body: BODY, cutAfterBytes: 0 }],
    ['cut off between chunks', { body: BODY, chunked: true, cutAfterBytes: 1_000 }],
    ['a gzip that ends early', { body: BODY, encoding: 'gzip', endAfterBytes: 60 }],
    ['a gzip without its checksum', { body: 'a,b\n1,2\n', encoding: 'gzip', endAfterBytes: 24 }],
    ['a brotli that ends early', { body: BODY, encoding: 'br', endAfterBytes: 30 }],
    ['a zstd that ends early', { body: BODY, encoding: 'zstd', endAfterBytes: 30 }],
    ['a deflate that ends early', { body: BODY, encoding: 'deflate', endAfterBytes: 60 }],
    ['a compressed file that ends early', { body: COMPRESS.gzip(Buffer.from(BODY)).subarray(0, 60) }],
    ['a gzip cut off with its connection', { body: BODY, encoding: 'gzip', cutAfterBytes: 60 }],
  ];

  it.each(cases)('%s', async (_what, behaviour) => {
    expect(await failing(behaviour)).toMatchObject({ code: 'body_truncated', httpStatus: 200 });
  });

  it('nothing at all', async () => {
    expect(await failing({ body: '' })).toMatchObject({ code: 'empty_body', httpStatus: 200 });
    expect(await failing({ body: '', encoding: 'gzip' })).toMatchObject({ code: 'empty_body' });
    expect(await failing({ body: '', headers: { 'content-encoding': 'gzip' } })).toMatchObject({
      code: 'body_truncated',
    });
    expect(await failing({ status: 204 })).toMatchObject({ code: 'empty_body', httpStatus: 204 });
  });
});

describe('a body that cannot be decompressed fails the check:', () => {
  it.each(['compress', 'gzip, br', 'gzip, gzip', 'aes128gcm', 'nonsense'])('%s', async (encoding) => {
    const failure = await failing({ body: BODY, headers: { 'content-encoding': encoding } });
    expect(failure).toMatchObject({ code: 'unsupported_encoding', httpStatus: 200 });
  });

  it('a ZIP archive, or a file compressed twice', async () => {
    const { gzip } = COMPRESS;
    for (const body of [Buffer.from('PK\u0003\u0004 and so on'), gzip(gzip(Buffer.from(BODY)))]) {
      expect(await failing({ body })).toMatchObject({ code: 'unsupported_encoding', httpStatus: 200 });
    }
  });

  it.each([
    ['gzip', { body: BODY, encoding: 'gzip' }, 0],
    ['br', { body: BODY, encoding: 'br' }, 1],
    ['zstd', { body: BODY, encoding: 'zstd' }, 1],
    ['a zstd file', { body: COMPRESS.zstd(Buffer.from(BODY)) }, 1],
    ['a brotli that ends early', { body: BODY, encoding: 'br', endAfterBytes: 30 }, 1],
  ] as const)(
    'regression: reserves and releases memory for the window of %s',
    async (_, behaviour, windows) => {
      let [taken, held] = [0, 0];
      const takeWindow = async (): Promise<() => void> => {
        taken += 1;
        held += 1;
        return () => {
          held -= 1;
        };
      };
      origin.set('/feed', behaviour);
      await fetchPath('/feed', { takeWindow }).catch(() => undefined);
      expect({ taken, held }).toEqual({ taken: windows, held: 0 });
    },
  );

  it.each(['gzip', 'br', 'zstd', 'deflate'])('bytes that are no %s', async (encoding) => {
    const failure = await failing({ body: BODY, headers: { 'content-encoding': encoding } });
    expect(failure.code).toBe('unsupported_encoding');
  });
});

describe('a body over the limits', () => {
  it('is refused by its Content-Length', async () => {
    let received = 0;
    const onProgress = (bytes: number): void => {
      received = bytes;
    };
    const failure = await failing({ body: Buffer.alloc(1_000_000) }, { maxBytes: 900_000, onProgress });
    expect(failure.code).toBe('body_too_large');
    expect(received).toBe(0);
  });

  it('is refused while it arrives, chunked or compressed', async () => {
    for (const behaviour of [{ chunked: true }, { encoding: 'gzip' }, { encoding: 'zstd' }] as const) {
      const failure = await failing({ body: BODY, ...behaviour }, { maxBytes: BODY.length - 1 });
      expect(failure.code).toBe('body_too_large');
    }
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'] as const)(
    'is refused when a small %s expands without end',
    async (encoding) => {
      const bomb = { body: Buffer.alloc(50_000_000), encoding };
      let received = 0;
      const onProgress = (bytes: number): void => {
        received = Math.max(received, bytes);
      };
      const failure = await failing(bomb, { maxBytes: 1e9, onProgress });
      expect(failure.code).toBe('body_too_large');
      expect(failure.message).toContain('200-fold');
      expect(received).toBeLessThan(50_000_000);
    },
  );

  it.each([
    ['a compressed file', { body: COMPRESS.gzip(Buffer.alloc(50_000_000)) }],
    ['a file in a compressed answer', { body: COMPRESS.zstd(Buffer.alloc(50_000_000)), encoding: 'gzip' }],
  ] as const)('is refused when %s expands without end', async (_, behaviour) => {
    const failure = await failing(behaviour, { maxBytes: 1e9 });
    expect(failure).toMatchObject({ code: 'body_too_large' });
    expect(failure.message).toContain('200-fold');
  });

  it('is refused when it is compressed data without content, which only costs time', async () => {
    const skippable = Buffer.concat([Buffer.from('502a4d180000f000', 'hex'), Buffer.alloc(0xf00000)]);
    const headers = { 'content-encoding': 'zstd' };
    expect(await failing({ body: skippable, headers, chunked: true }, { maxBytes: 1e6 })).toMatchObject({
      code: 'body_too_large',
    });
  });
});

describe('an origin is unreachable', () => {
  async function reserveAndFree(): Promise<number> {
    const server = createTcpServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => {
      server.close(resolve);
    });
    return port;
  }

  it('because nothing listens', async () => {
    const failure = await failureOf(fetchPath('', { url: `http://127.0.0.1:${await reserveAndFree()}/` }));
    expect(failure).toMatchObject({ code: 'origin_unreachable', httpStatus: undefined });
  });

  it('because it hangs up', async () => {
    expect(await failing({ reset: true })).toMatchObject({ code: 'origin_unreachable' });
  });

  it('because its name has no address', async () => {
    const guard = { allowed: [], resolve: () => Promise.reject(new Error(`ENOTFOUND ${SECRET}`)) };
    const failure = await failureOf(fetchPath('', { url: `http://nowhere.example/${SECRET}`, guard }));
    expect(failure.code).toBe('origin_unreachable');
  });

  it('because it speaks another protocol', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.0\r\n'));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    expect(await failureOf(fetchPath('', { url: `http://127.0.0.1:${port}/` }))).toMatchObject({
      code: 'origin_unreachable',
    });
    expect(await failureOf(fetchPath('', { url: `https://127.0.0.1:${port}/` }))).toMatchObject({
      code: 'origin_unreachable',
      message: CHECK_ERRORS.origin_unreachable,
    });
  });

  it('because its certificate is untrusted', async () => {
    const server = createSecureServer(SELF_SIGNED, (_request, response) => response.end(BODY));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const failure = await failureOf(fetchPath('', { url: `https://127.0.0.1:${port}/` }));
    expect(failure).toMatchObject({
      code: 'origin_unreachable',
      message: expect.stringContaining('certificate') as string,
    });
  });

  it('because its headers are too large', async () => {
    expect(await failing({ body: BODY, headers: { 'x-filler': 'x'.repeat(20_000) } })).toMatchObject({
      code: 'origin_unreachable',
    });
  });
});

describe('an origin that takes too long', () => {
  it('to answer', async () => {
    expect(await failing({ hang: true }, { headersTimeoutMs: 100 })).toMatchObject({
      code: 'origin_timeout',
    });
    expect(await failing({ hang: true }, { totalTimeoutMs: 100 })).toMatchObject({ code: 'origin_timeout' });
  });

  it('to continue', async () => {
    const never = createGate();
    onTestFinished(never.open);
    const failure = await failing({ body: BODY, pauseUntil: never.wait() }, { bodyTimeoutMs: 100 });
    expect(failure).toMatchObject({ code: 'origin_timeout', httpStatus: 200 });
  });

  it('although it sends single bytes', async () => {
    const failure = await failing({ dripEveryMs: 10 }, { bodyTimeoutMs: 5_000, totalTimeoutMs: 300 });
    expect(failure.code).toBe('origin_timeout');
  });

  it('although it sends data without end, too slowly', async () => {
    const failure = await failing({ dripEveryMs: 10 }, { graceMs: 100 });
    expect(failure).toMatchObject({ code: 'origin_timeout', httpStatus: 200 });
    expect(failure.message).toContain('too slowly');
  });

  it('with endless interim responses', async () => {
    const server = createTcpServer((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const failure = await failureOf(fetchPath('', { url, answerTimeoutMs: 300 }));
    expect(failure).toMatchObject({ code: 'origin_timeout', httpStatus: undefined });
  });

  it('to have its name resolved', async () => {
    const guard = { allowed: [], resolve: () => new Promise<never>(() => {}) };
    const failure = await failureOf(
      fetchPath('', { url: 'http://slow.example/', guard, totalTimeoutMs: 100 }),
    );
    expect(failure.code).toBe('origin_timeout');
  });
});

describe('cancelling', () => {
  it('ends a fetch with the given reason, before the body and during it', async () => {
    const never = createGate();
    onTestFinished(never.open);
    const reason = new Error('The worker is shutting down');
    origin.set('/feed', { body: BODY, pauseUntil: never.wait() });
    await expect(fetchPath('/feed', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const middle = new AbortController();
    const fetching = fetchPath('/feed', { signal: middle.signal, onProgress: () => middle.abort(reason) });
    await expect(fetching).rejects.toBe(reason);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a URL that is not allowed', () => {
  it.each([
    'http://10.0.0.1/',
    'http://user:pw@127.0.0.1/',
    'ftp://127.0.0.1/',
    'http://169.254.169.254/latest',
    '',
  ])('%j is refused', async (url) => {
    expect(await failureOf(fetchPath('', { url }))).toMatchObject({ code: 'url_not_allowed' });
  });

  it('is refused because of the address that its name resolves to', async () => {
    const guard = { allowed: [], resolve: () => Promise.resolve(['127.0.0.1']) };
    const failure = await failureOf(fetchPath('', { url: `http://feed.example:8080/?k=${SECRET}`, guard }));
    expect(failure.code).toBe<CheckErrorCode>('origin_unreachable');
  });
});

describe('a disk that fails', () => {
  it('is our failure, not the origin’s', async () => {
    origin.set('/feed', { body: BODY });
    const noFolder: unknown = await fetchPath('/feed', { folder: '/dev/null/x' }).catch(
      (reason: unknown) => reason,
    );
    expect(noFolder).toMatchObject({ code: 'ENOTDIR' });
    expect(noFolder).not.toBeInstanceOf(FetchFailure);
    const file = join('/dev/null/x', 'file');
    const { signal } = new AbortController();
    const noFile: unknown = await saveBody(await request(`${origin.url}/feed`), {
      file,
      path: '/feed',
      maxBytes: 1e6,
      signal,
    }).catch((reason: unknown) => reason);
    expect(noFile).toMatchObject({ code: 'ENOTDIR' });
    expect(noFile).not.toBeInstanceOf(FetchFailure);
  });
});
