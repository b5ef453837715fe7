// An HTTP proxy in front of the API whose next answers a test can break.
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * An answer in place of the API's, or a broken connection: before the API has the request, after it has answered, within its
 * answer, or never an answer.
 */
type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'before-request'
  | 'after-request'
  | 'amid-answer'
  | 'silence';

export interface FaultyProxy {
  url: string;
  requests: { method: string; url: string; headers: IncomingHttpHeaders }[];
  /** Breaks the next request that has no fault yet. */
  next: (fault: Fault) => void;
  /** Called when a fault has been answered. */
  onAnswer: (act: () => void) => void;
  /** Forgets requests and faults. */
  forget: () => void;
  close: () => Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const faults: Fault[] = [];
  const requests: FaultyProxy['requests'] = [];
  let afterFault = (): void => undefined;
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    requests.push({ method, url, headers });
    const fault = faults.shift();
    serve(target, incoming, outgoing, fault).then(
      () => (fault === undefined ? undefined : afterFault()),
      // The client has gone, or the API.
      () => incoming.socket.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on TCP has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (fault) => void faults.push(fault),
    onAnswer: (act) => {
      afterFault = act;
    },
    forget: () => {
      faults.length = 0;
      requests.length = 0;
      afterFault = () => undefined;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  const body = await buffer(incoming);
  if (fault === 'silence') return;
  if (fault === 'before-request') return void incoming.socket.destroy();
  if (typeof fault === 'object') {
    const { status, headers = {}, body: text = 'broken' } = fault;
    return void outgoing.writeHead(status, headers).end(text);
  }
  const answer = await callApi(target, incoming, body);
  if (fault === undefined) return forward(answer, outgoing);
  const content = await buffer(answer);
  if (fault === 'after-request') return void incoming.socket.destroy();
  outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
  outgoing.write(content.subarray(0, content.length / 2), () => incoming.socket.destroy());
}

async function callApi(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const calling = request(`${target}${url}`, { method, headers });
  calling.end(body);
  const [answer] = (await once(calling, 'response')) as [IncomingMessage];
  return answer;
}

async function forward(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
  // A client that leaves ends its call of the API.
  outgoing.on('close', () => answer.destroy());
  answer.on('error', () => outgoing.destroy());
  answer.pipe(outgoing);
  await once(outgoing, 'close');
}
