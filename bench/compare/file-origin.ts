// An origin on loopback that sends a file unchanged, without a validator.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { close, listen } from '../../demo/http-server.ts';

export interface FileOrigin {
  url: string;
  /** Null: answers 503. */
  serve: (file: string | null) => void;
  close: () => Promise<void>;
}

export async function startFileOrigin(contentType: string): Promise<FileOrigin> {
  let file: string | null = null;
  const server = createServer((_request, response) => {
    if (file === null) {
      response.writeHead(503).end();
      return;
    }
    response.writeHead(200, { 'content-type': contentType, 'content-length': statSync(file).size });
    // A client that goes away is no fault of ours.
    pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), response).catch(() => undefined);
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}/feed`,
    serve: (next) => {
      file = next;
    },
    close: () => close(server),
  };
}
