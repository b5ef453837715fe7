// A real endpoint that records raw bodies and headers, as a receiver needs them to verify a signature.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIVENESS_MS } from '../until.ts';

export interface SinkDelivery {
  path: string;
  headers: IncomingHttpHeaders;
  /** Exactly as received. */
  body: string;
  receivedAtMs: number;
  /** The sender's port, which is equal for requests of one connection. */
  port: number;
}

interface SinkAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Answers only when this resolves. */
  until?: Promise<unknown>;
  /** Never answers. */
  hang?: true;
}

type Answering = SinkAnswer | ((delivery: SinkDelivery, index: number) => SinkAnswer);

export interface WebhookSink {
  /** The address for deliveries. Every path is answered. */
  url: string;
  /** Oldest first. A request is recorded before it is answered. */
  deliveries: SinkDelivery[];
  /** The first delivery, past or future, that the predicate accepts. @throws Error after the deadline */
  waitFor: (
    predicate: (delivery: SinkDelivery) => boolean,
    options?: { deadlineMs?: number },
  ) => Promise<SinkDelivery>;
  /** Sets the answer: a status, an answer, or a function of the delivery and its index. The default is 200. */
  respondWith: (answer: number | Answering) => void;
  close: () => Promise<void>;
}

export async function startSink(): Promise<WebhookSink> {
  const deliveries: SinkDelivery[] = [];
  const watchers = new Set<(delivery: SinkDelivery) => void>();
  let answering: Answering = { status: 200 };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const delivery = await readDelivery(request);
    const index = deliveries.push(delivery) - 1;
    for (const watcher of watchers) watcher(delivery);
    const answer = typeof answering === 'function' ? answering(delivery, index) : answering;
    await answer.until;
    if (answer.hang === true) return;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  };
  const server = createServer((request, response) => {
    // A sender that disconnects in the middle has delivered nothing.
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    waitFor: (predicate, { deadlineMs = LIVENESS_MS } = {}) =>
      waitFor(deliveries, watchers, predicate, deadlineMs),
    respondWith: (answer) => {
      answering = typeof answer === 'number' ? { status: answer } : answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readDelivery(request: IncomingMessage): Promise<SinkDelivery> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a request yields Buffers
  const body = Buffer.concat(chunks).toString();
  return {
    path: request.url ?? '',
    headers: request.headers,
    body,
    receivedAtMs: Date.now(),
    port: request.socket.remotePort ?? 0,
  };
}

function waitFor(
  deliveries: readonly SinkDelivery[],
  watchers: Set<(delivery: SinkDelivery) => void>,
  predicate: (delivery: SinkDelivery) => boolean,
  deadlineMs: number,
): Promise<SinkDelivery> {
  const found = deliveries.find(predicate);
  if (found !== undefined) return Promise.resolve(found);
  return new Promise((resolve, reject) => {
    const watcher = (delivery: SinkDelivery): void => {
      if (!predicate(delivery)) return;
      watchers.delete(watcher);
      clearTimeout(timer);
      resolve(delivery);
    };
    const timer = setTimeout(() => {
      watchers.delete(watcher);
      reject(new Error(`No such delivery within ${deadlineMs} ms; ${deliveries.length} came in all`));
    }, deadlineMs);
    watchers.add(watcher);
  });
}
