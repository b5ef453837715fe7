// Passes requests on to Temporal's UI if they name this machine. The UI itself answers any Host, so a web page could point its own
// name at 127.0.0.1, and read and end workflows through its visitor's browser (DNS rebinding).
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { close, listen } from '../../demo/http-server.ts';
import { isLoopbackHost } from '../service/calls/loopback.ts';

export interface UiGate {
  url: string;
  close: () => Promise<void>;
}

/**
 * @param uiPort of the UI itself, another one in each run: a page would have to find it first
 * @throws Error when the port is taken
 */
export async function openUiGate(port: number, uiPort: number): Promise<UiGate> {
  const server: Server = createServer((incoming, answer) => {
    if (!namesThisMachine(incoming)) {
      answer.writeHead(421, { 'content-type': 'text/plain' }).end('Call it as localhost.\n');
      return;
    }
    pass(incoming, answer, uiPort);
  });
  const url = `http://127.0.0.1:${await listen(server, port)}`;
  return { url, close: () => close(server) };
}

/** Names that look like this machine without being it fail: a browser reads a host in the same way. */
function namesThisMachine({ headers }: IncomingMessage): boolean {
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname;
  return name !== undefined && isLoopbackHost(name);
}

function pass(incoming: IncomingMessage, answer: ServerResponse, uiPort: number): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port: uiPort, method, path, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    // Whoever breaks off ends both sides.
    void pipeline(response, answer).catch(() => undefined);
  });
  onward.on('error', () => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502, { 'content-type': 'text/plain' }).end('Temporal’s UI does not answer.\n');
  });
  answer.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
