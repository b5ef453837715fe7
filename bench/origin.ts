// A cheap origin on loopback: 200 rows of CSV, served as a measurement needs them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { close, listen } from '../demo/http-server.ts';

type OriginMode =
  /** With an ETag; a request that names it gets 304. */
  | 'not-modified'
  /** The same bytes each time, without a validator. */
  | 'same-bytes'
  /** One row has another value in each answer. */
  | 'changing';

export interface BenchOrigin {
  /** Any path below it is a feed. */
  url: string;
  serve: (mode: OriginMode) => void;
  close: () => Promise<void>;
}

const ROWS = 200;
const ETAG = '"1"';
const HEADERS = { 'content-type': 'text/csv; charset=utf-8' };

export async function startOrigin(): Promise<BenchOrigin> {
  let mode: OriginMode = 'not-modified';
  let answers = 0;
  const fixed = Buffer.from(feed(0));
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (mode === 'not-modified' && request.headers['if-none-match'] === ETAG) {
      response.writeHead(304, { etag: ETAG }).end();
      return;
    }
    const body = mode === 'changing' ? Buffer.from(feed((answers += 1))) : fixed;
    const validators = mode === 'not-modified' ? { etag: ETAG } : {};
    response.writeHead(200, { ...HEADERS, ...validators, 'content-length': body.length }).end(body);
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    serve: (next) => {
      mode = next;
    },
    close: () => close(server),
  };
}

/** Some 10 KB. */
function feed(marker: number): string {
  const rows = Array.from({ length: ROWS }, (_, row) =>
    [`item-${row}`, `A thing of the kind number ${row}`, row === 0 ? marker : row * 7, 'in stock'].join(','),
  );
  return `id,name,price,availability\n${rows.join('\n')}\n`;
}
