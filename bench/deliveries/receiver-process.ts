// The endpoint that everything is sent to, in a process of its own so that it takes no time from the senders: answers at
// once, or fails, and one of its paths may hang. Told and asked by messages of the process that forked it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../demo/http-server.ts';

export interface ReceiverMode {
  status: number;
  /** The path that answers after fifteen seconds; none: null. */
  hangingPath: string | null;
}
export type ReceiverOrder = ReceiverMode | 'read';
/** Arrivals since the last `read`: of each its path, and milliseconds since the body's own time. */
export type ReceiverAnswer = { port: number } | { arrivals: { path: string; latencyMs: number }[] };

const HANG_MS = 15_000;
let mode: ReceiverMode = { status: 204, hangingPath: null };
let arrivals: { path: string; latencyMs: number }[] = [];

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const arrivedAtMs = performance.timeOrigin + performance.now();
  const path = request.url ?? '';
  const { timestamp }: { timestamp: string } = JSON.parse(body);
  arrivals.push({ path, latencyMs: arrivedAtMs - Date.parse(timestamp) });
  const answer = (): void => void response.writeHead(mode.status).end();
  if (path === mode.hangingPath) setTimeout(answer, HANG_MS);
  else answer();
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
});
const say = (answer: ReceiverAnswer): void => void process.send?.(answer);
process.on('message', (order: ReceiverOrder) => {
  if (order !== 'read') {
    mode = order;
    return;
  }
  say({ arrivals });
  arrivals = [];
});
process.once('disconnect', () => process.exit());
say({ port: await listen(server, 0) });
