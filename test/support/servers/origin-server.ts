// A real HTTP origin that a test controls path by path: it answers, disconnects, hangs, redirects and compresses.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

export type ContentEncoding = 'gzip' | 'br' | 'zstd' | 'deflate';

/** The behaviour of a path. Everything can be combined; the default is 200 with an empty body. */
export interface OriginBehaviour {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sent as ETag; a request that names it in If-None-Match gets 304. */
  etag?: string;
  /** Compresses the body. */
  encoding?: ContentEncoding;
  /** Truncates the (compressed) body to this many bytes but ends the response properly, as for a truncated gzip. */
  endAfterBytes?: number;
  /** Breaks the connection after this many bytes, although Content-Length (or chunking) promised more. */
  cutAfterBytes?: number;
  /** Sends the body in chunks, without Content-Length. */
  chunked?: boolean;
  /** Sends the body without Content-Length and chunks: the end of the connection ends it. */
  closeDelimited?: true;
  redirectTo?: string;
  /** Waits for this before the headers (a gate's `wait()`, not a timer). */
  until?: Promise<unknown>;
  /** Sends the headers and half of the body, then waits for this. */
  pauseUntil?: Promise<unknown>;
  /** Accepts the request and never answers. */
  hang?: true;
  /** Sends single bytes without end, this many milliseconds apart. */
  dripEveryMs?: number;
  /** Breaks the connection without an answer. */
  reset?: true;
}

export interface OriginVisit {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Tells one connection from another. */
  remotePort: number | undefined;
}

export interface Origin {
  /** http://127.0.0.1:port, without a slash at the end. */
  url: string;
  port: number;
  /** Sets the behaviour of a path (without query). A function is called for each request. */
  set: (path: string, behaviour: OriginBehaviour | ((visit: OriginVisit) => OriginBehaviour)) => void;
  /** Every request so far, oldest first. */
  requests: OriginVisit[];
  close: () => Promise<void>;
}

export const COMPRESS: Record<ContentEncoding, (body: Buffer) => Buffer> = {
  gzip: (body) => gzipSync(body),
  br: (body) => brotliCompressSync(body),
  zstd: (body) => zstdCompressSync(body),
  deflate: (body) => deflateSync(body),
};

/** A page such as a login form, which some origins send in place of a feed. */
export const HTML_PAGE: OriginBehaviour = {
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html><head><title>Sign in</title></head><body><form></form></body></html>',
};

export async function startOrigin(): Promise<Origin> {
  const behaviours = new Map<string, OriginBehaviour | ((visit: OriginVisit) => OriginBehaviour)>();
  const requests: OriginVisit[] = [];
  const server = createServer((request, response) => {
    const visit = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      remotePort: request.socket.remotePort,
    };
    requests.push(visit);
    const found = behaviours.get(visit.path.split('?')[0] ?? '') ?? { status: 404, body: 'not here' };
    // Some behaviours break the connection on purpose, which ends an answer early.
    answer(request, response, typeof found === 'function' ? found(visit) : found).catch(() =>
      response.destroy(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    set: (path, behaviour) => behaviours.set(path, behaviour),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  does: OriginBehaviour,
): Promise<void> {
  await does.until;
  if (does.hang === true) return;
  if (does.reset === true) return void request.socket.destroy();
  if (does.redirectTo !== undefined) {
    response.writeHead(does.status ?? 302, { location: does.redirectTo, ...does.headers }).end();
    return;
  }
  if (does.etag !== undefined && request.headers['if-none-match'] === does.etag) {
    response.writeHead(304, { etag: does.etag, ...does.headers }).end();
    return;
  }
  const plain = Buffer.from(does.body ?? '');
  const encoded = does.encoding === undefined ? plain : COMPRESS[does.encoding](plain);
  const body = encoded.subarray(0, does.endAfterBytes);
  if (does.closeDelimited === true) response.useChunkedEncodingByDefault = false;
  response.writeHead(does.status ?? 200, {
    'content-type': 'text/csv; charset=utf-8',
    ...(does.chunked === true || does.closeDelimited === true || does.dripEveryMs !== undefined
      ? {}
      : { 'content-length': String(body.length) }),
    ...(does.encoding === undefined ? {} : { 'content-encoding': does.encoding }),
    ...(does.etag === undefined ? {} : { etag: does.etag }),
    ...does.headers,
  });
  await sendBody(response, body, does);
}

async function sendBody(response: ServerResponse, body: Buffer, does: OriginBehaviour): Promise<void> {
  if (does.dripEveryMs !== undefined) {
    const timer = setInterval(() => response.write('x'), does.dripEveryMs);
    response.on('close', () => clearInterval(timer));
    return;
  }
  if (does.cutAfterBytes !== undefined) {
    response.write(body.subarray(0, does.cutAfterBytes), () => response.destroy());
    return;
  }
  if (does.pauseUntil !== undefined) {
    const half = Math.ceil(body.length / 2);
    response.write(body.subarray(0, half));
    await does.pauseUntil;
    response.end(body.subarray(half));
    return;
  }
  response.end(body);
}
