// Readers that discard an HTTP answer or the output of COPY as fast as it arrives.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import pg from 'pg';

export interface Drained {
  bytes: number;
  ms: number;
}

/** @throws Error for any status but 200, and when the answer is cut off */
export async function drainHttp(
  url: string,
  headers: Readonly<{ [name: string]: string }>,
): Promise<Drained> {
  const startedAt = performance.now();
  const request = get(url, { headers, agent: false });
  // The event has this one argument.
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await once(response, 'end');
  return { bytes, ms: performance.now() - startedAt };
}

/** The last message of an answer of PostgreSQL: ready for the next query, in no transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Does not even look at the rows, as a program in C would that writes them to a file. */
export async function drainCopy(databaseUrl: string, query: string): Promise<Drained> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const startedAt = performance.now();
    const bytes = await new Promise<number>((resolve, reject) => {
      client.query({
        submit: (connection: pg.Connection) => {
          connection.query(`copy (${query}) to stdout`);
          // A connection without TLS is a socket.
          countUntilReady(connection.stream as Socket, resolve);
        },
        handleError: reject,
        handleReadyForQuery: () => undefined,
      });
    });
    return { bytes, ms: performance.now() - startedAt };
  } finally {
    await client.end();
  }
}

function countUntilReady(stream: Socket, done: (bytes: number) => void): void {
  const [parser] = stream.listeners('data');
  stream.removeAllListeners('data');
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (!chunk.subarray(-READY.length).equals(READY)) return;
    stream.removeAllListeners('data');
    // The client wants to know that it is free again.
    if (parser !== undefined) stream.on('data', (later: Buffer) => parser(later));
    parser?.(READY);
    done(bytes);
  });
}
