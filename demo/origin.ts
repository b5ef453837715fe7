// The demonstration's origin: serves one version of the list, and moves to a neighbouring version at intervals.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { close, listen } from './http-server.ts';
import { demoVersions } from './versions.ts';

export interface OriginOptions {
  port: number;
  /** Keeps the position in the walk between runs. */
  positionFile?: string;
}

export interface DemoOrigin {
  /** Address of the list. */
  url: string;
  /** Version that is being served. */
  version: () => string;
  /** Moves to the next version: forward to the newest, then back to the oldest, and so on. */
  advance: () => void;
  /** Advances by itself every so many seconds until the origin closes. */
  walk: (intervalSeconds: number) => void;
  close: () => Promise<void>;
}

interface Page {
  version: string;
  body: Buffer;
  etag: string;
}

/** A position in the walk, and when it was reached. */
interface Position {
  step: number;
  since: number;
}

const PATH = '/licences.csv';

/** Starts the server on 127.0.0.1; port 0 takes any free one. */
export async function startDemoOrigin({ port, positionFile }: OriginOptions): Promise<DemoOrigin> {
  const pages = demoVersions().map(toPage);
  let position = readPosition(positionFile);
  let timer: NodeJS.Timeout | undefined;
  const current = () => pageAt(pages, position.step);
  const server = createServer((request, response) => answer(request, response, current(), position.since));
  const actualPort = await listen(server, port);
  const advance = () => {
    position = { step: position.step + 1, since: Date.now() };
    if (positionFile !== undefined) keepPosition(positionFile, position);
  };
  return {
    url: `http://127.0.0.1:${actualPort}${PATH}`,
    version: () => current().version,
    advance,
    walk: (intervalSeconds) => (timer ??= setInterval(advance, intervalSeconds * 1000).unref()),
    close: () => {
      clearInterval(timer);
      return close(server);
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, page: Page, since: number): void {
  if (request.url !== PATH) return void response.writeHead(404).end('Not found\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
  }
  const headers = {
    etag: page.etag,
    'last-modified': new Date(since).toUTCString(),
    'cache-control': 'no-cache',
  };
  if (isUnchanged(request, page.etag, since)) return void response.writeHead(304, headers).end();
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/csv; charset=utf-8',
    'content-length': page.body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : page.body);
}

/** RFC 9110 13.2.2: If-Modified-Since counts only where there is no If-None-Match. */
function isUnchanged({ headers }: IncomingMessage, etag: string, since: number): boolean {
  const given = headers['if-none-match'];
  if (given !== undefined) return given.split(',').some((part) => part.trim().replace(/^W\//, '') === etag);
  const time = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(since / 1000) * 1000 <= time;
}

function toPage({ version, csv }: { version: string; csv: string }): Page {
  const body = Buffer.from(csv);
  return { version, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"` };
}

/** Steps 0, 1 … n-1, then back down to 1, so that each step leads to a neighbouring version. */
function pageAt(pages: readonly Page[], step: number): Page {
  const last = pages.length - 1;
  const index = step % (2 * last);
  const page = pages[index <= last ? index : 2 * last - index];
  if (page === undefined) throw new Error(`There is no version at step ${step}`);
  return page;
}

/** Replaces the file whole. On a full disk the walk continues, and the next run begins at the position that was kept last. */
function keepPosition(path: string, position: Position): void {
  const part = `${path}.${process.pid}.part`;
  try {
    writeFileSync(part, JSON.stringify(position));
    renameSync(part, path);
  } catch {
    // It is kept at the next step, if there is space by then.
  }
}

/** The kept position, or the walk's start when there is none that can be read. */
function readPosition(path: string | undefined): Position {
  try {
    const { step, since }: Partial<Position> = JSON.parse(readFileSync(path ?? '', 'utf8'));
    if (step !== undefined && since !== undefined && Number.isSafeInteger(step) && step >= 0)
      return { step, since };
  } catch {
    // No position is kept yet.
  }
  return { step: 0, since: Date.now() };
}
