// A reverse proxy in front of several APIs, like nginx or Caddy: keeps connections open, checks the readiness of each API, and
// tries the next one only when a connection was refused. Stricter than those: never repeats a request that was sent.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  url: string;
  /** Whether requests go to the API with this address. */
  isHealthy: (upstream: string) => boolean | Promise<boolean>;
  close: () => Promise<void>;
}

const ASK_EVERY_MS = 100;

export async function startBalancer(upstreams: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const healthy = new Set(upstreams);
  let turn = 0;
  const look = async (upstream: string): Promise<void> => {
    const isReady = await fetch(`${upstream}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) healthy.add(upstream);
    else healthy.delete(upstream);
  };
  const timer = setInterval(() => upstreams.forEach((upstream) => void look(upstream)), ASK_EVERY_MS);
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const usable = upstreams.filter((upstream) => healthy.has(upstream));
    const first = turn % Math.max(usable.length, 1);
    pass(agent, [...usable.slice(first), ...usable.slice(0, first)], incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on TCP has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isHealthy: (upstream) => healthy.has(upstream),
    close: async () => {
      clearInterval(timer);
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function pass(
  agent: Agent,
  [upstream, ...others]: readonly string[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (upstream === undefined) return void outgoing.writeHead(502).end();
  const { method, url = '/', headers } = incoming;
  const asked = request(`${upstream}${url}`, {
    agent,
    method,
    headers: { ...headers, connection: 'keep-alive' },
  });
  asked.on('response', (answer) => {
    const { connection: _ofThisHop, 'keep-alive': _alike, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, kept);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  asked.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') pass(agent, others, incoming, outgoing);
    else if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  });
  // A refused connection has read nothing of the request.
  asked.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => incoming.pipe(asked));
    else incoming.pipe(asked);
  });
}
